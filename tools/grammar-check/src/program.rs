//! Engines that are no crates: `gbnf/matcher.cpp` (llama.cpp) and `xgrammar/judge.py`.
//!
//! They read `G SIZE\n` and a grammar, or `T SIZE\n` and a text, and write a line for each: `yes` or `no`.

use crate::cases::Case;
use crate::engines::Verdict;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    pub fn start(command: &[String]) -> Self {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} did not start: {error}", command[0]));
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    pub fn judge(&mut self, case: &Case) -> Verdict {
        if !self.ask('G', &case.grammar_text()) {
            return Verdict::Refused("see the messages of the engine".to_owned());
        }
        Verdict::Texts(case.texts().map(|text| self.ask('T', text)).collect())
    }

    fn ask(&mut self, kind: char, text: &str) -> bool {
        let written = write!(self.input, "{kind} {}\n{text}", text.len()).and_then(|()| self.input.flush());
        let mut line = String::new();
        written.and_then(|()| self.output.read_line(&mut line)).expect("the engine runs");
        match line.trim() {
            "yes" => true,
            "no" => false,
            other => panic!("the engine wrote {other:?} instead of a verdict on {text}"),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // it reads until its input ends, and has no state to save
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
