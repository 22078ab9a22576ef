#![allow(clippy::unwrap_used)]

use super::Pattern;

fn matches(source: &str, text: &str) -> bool {
    Pattern::new(source).unwrap().matches(text).unwrap()
}

#[test]
fn what_is_not_linear_is_refused_with_the_reason() {
    let refused = |source: &str| Pattern::new(source).unwrap_err();
    assert_eq!(
        refused("^(a+)\\1$"),
        "the pattern `^(a+)\\1$` uses a backreference, which can't be matched in linear time"
    );
    assert!(refused("((a{1,200}){1,200}){1,200}").contains("repeats too much"));
    assert!(refused("a{1,1000000000}").contains("repeats too much"));
    assert!(refused("(").contains("is not a regular expression"));
    assert!(refused(&"(".repeat(60)).contains("is not a regular expression"));
    assert!(refused(&format!("{}a{}", "(".repeat(60), ")".repeat(60))).contains("nested too deeply"));
}

#[test]
fn texts_are_code_points() {
    assert!(matches("^.$", "😀"));
    assert!(matches("^[^a]{2}$", "😀é"));
    assert!(!matches("^\\ud83d", "😀"));
    assert!(matches("^\\w+$", "abc_9") && !matches("^\\w+$", "é"));
    assert!(matches("^\\s$", "\u{feff}") && !matches("^\\d$", "٣"));
    assert_eq!(Pattern::new("a").unwrap().matches(&"b".repeat(super::MAX_TEXT + 1)), None);
}
