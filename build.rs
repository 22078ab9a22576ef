//! Collects and numbers the control words: those that the folders below `src` list in files called `words.txt`, and those that the data in
//! `src/format` name (see `src/value/word.rs`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Words that Rust does not accept as identifiers.
const KEYWORDS: [&str; 6] = ["type", "enum", "const", "ref", "if", "else"];

/// Words of no dialect, added in native tests: they show that a dialect's handling of a word does not depend on the lists of other dialects.
const TESTED: &str = "tests/words.txt";

fn is_native_debug() -> bool {
    env::var("PROFILE").is_ok_and(|profile| profile == "debug")
        && env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch != "wasm32")
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={TESTED}");
    let mut files = Vec::new();
    find(Path::new("src"), &mut files)?;
    files.sort();
    if is_native_debug() && Path::new(TESTED).exists() {
        files.push(PathBuf::from(TESTED));
    }
    let (mut names, mut known) = (BTreeSet::new(), BTreeSet::new());
    let mut list = String::from("words! {\n");
    let mut lists = String::new();
    for file in files {
        let content = fs::read_to_string(&file)?;
        let words = content.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        let mut own = BTreeSet::new();
        for word in words {
            let (name, text) = word.split_once('=').unwrap_or((word, word));
            own.insert(path_of(name));
            names.insert(name.to_string());
            let number = known.len();
            if known.insert(text.to_string()) {
                list.push_str(&entry(number, name, text));
            }
        }
        if file == Path::new(TESTED) {
            continue;
        }
        let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().to_uppercase();
        let own: Vec<String> = own.into_iter().collect();
        lists.push_str(&format!("pub const {folder}: &[super::Word] = &[{}];\n", own.join(", ")));
    }
    for name in named(Path::new("src/format"))?.difference(&names) {
        list.push_str(&entry(known.len(), name, name));
        known.insert(name.clone());
    }
    list.push_str("}\n");
    list.push_str(&format!(
        "/// The words of each folder's own list.\n#[allow(dead_code)]\npub mod listed {{\n{lists}}}\n"
    ));
    let output = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&output).join("words.rs"), list)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.ends_with("words.txt") {
            files.push(path);
        }
    }
    Ok(())
}

/// The words that the Rust files of a folder name.
fn named(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let code = fs::read_to_string(&path)?;
            let words = code.split("Word::").skip(1).map(|rest| rest.strip_prefix("r#").unwrap_or(rest));
            names.extend(
                words
                    .filter_map(|rest| rest.split(|c: char| c != '_' && !c.is_alphanumeric()).next())
                    .map(str::to_owned),
            );
        }
    }
    names.remove("Unknown");
    Ok(names)
}

/// A word as an expression of the lists' module.
fn path_of(name: &str) -> String {
    format!("super::Word::{}{name}", raw(name))
}

fn raw(name: &str) -> &'static str {
    if KEYWORDS.contains(&name) { "r#" } else { "" }
}

/// A word's number, name and text.
fn entry(number: usize, name: &str, text: &str) -> String {
    format!("{number} {}{name} {text:?},\n", raw(name))
}
