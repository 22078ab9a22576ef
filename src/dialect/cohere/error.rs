//! Error bodies (WIRE §10.7): `{message, id}`. Only the HTTP status shows the kind of error.

use crate::dialect::shared::errors::{self, Shape, Tag};
use crate::model::ChatError;
use crate::run::{Result, Run};
use crate::value::Value;

pub fn read(run: &mut Run, body: Value) -> Result<ChatError> {
    errors::read(run, body, Tag::Message)
}

pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    errors::write(run, error, &Shape { tag: Tag::Message, fields: |_, _, _| {}, too_long: None, demanded: &[] })
}
