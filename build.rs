//! Gathers and numbers the control words that the folders below `src` name in files called `words.txt` (see `src/value/word.rs`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Words that Rust does not take as names as they are.
const KEYWORDS: [&str; 6] = ["type", "enum", "const", "ref", "if", "else"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut files = Vec::new();
    find(Path::new("src"), &mut files)?;
    files.sort();
    let mut known = BTreeSet::new();
    let mut list = String::from("words! {\n");
    for file in files {
        let content = fs::read_to_string(&file)?;
        let words = content.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        for word in words {
            let number = known.len();
            if known.insert(word.to_string()) {
                list.push_str(&entry(number, word));
            }
        }
    }
    list.push_str("}\n");
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

/// A word's number, name and text.
fn entry(number: usize, word: &str) -> String {
    let (name, text) = word.split_once('=').unwrap_or((word, word));
    let raw = if KEYWORDS.contains(&name) { "r#" } else { "" };
    format!("{number} {raw}{name} {text:?},\n")
}
