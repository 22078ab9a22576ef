//! Code that the tests of texts with calls share.
#![allow(dead_code)]

pub mod calls;
pub mod generate;
pub mod reading;
pub mod time;
