//! Example arguments of tools, which few formats have. For other targets they are added to the description if the options ask for that.

use crate::model::{Definition, Request, Tool};
use crate::run::{At, InputExamples, Result, Run, WarningCode};
use crate::value::Value;

/// Removes the examples from tool definitions if the target has no place for them.
pub fn fit(run: &mut Run, request: &mut Request) -> Result<()> {
    if run.route.to.format().limits.input_examples {
        return Ok(());
    }
    for tool in request.tools.iter_mut().flatten() {
        let Tool::Definition(definition) = tool else { continue };
        let Some((examples, at)) = definition.examples.take() else { continue };
        if run.is_void(examples) {
            continue;
        }
        match run.options.input_examples {
            InputExamples::Warn => {
                let message =
                    "the target has no example arguments: `inputExamples: \"describe\"` adds them to the description";
                run.warn(WarningCode::FieldDropped, at, message);
            }
            InputExamples::Describe => describe(run, definition, (examples, at))?,
        }
    }
    Ok(())
}

/// Adds the examples to the description, one per line.
fn describe(run: &mut Run, definition: &mut Definition, (examples, at): (Value, At)) -> Result<()> {
    let mut pieces = Vec::new();
    if let Some(description) = definition.description.filter(|description| !run.is_blank(*description)) {
        pieces.extend([description, run.store.string("\n\n")]);
    }
    pieces.push(run.store.string("Examples of arguments:"));
    for (index, example) in run.list(examples).into_iter().enumerate() {
        let example_at = run.nth(at, index);
        pieces.push(run.store.string("\n"));
        pieces.push(run.json_text(example, example_at)?);
    }
    definition.description = Some(run.store.join(&pieces));
    Ok(())
}
