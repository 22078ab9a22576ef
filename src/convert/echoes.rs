//! Fields of a response that describe it or repeat its request. Leaving them out loses nothing, so there is no warning.

use crate::format::is_echo;
use crate::model::Metadata;
use crate::run::{Provider, Run};
use crate::value::Kind;

/// Removes the echoes from the metadata of a response, unless the target has them in the same places.
pub fn forget(run: &mut Run, metadata: &mut Metadata) {
    if !run.route.is_to_provider() {
        return;
    }
    let (from, family) = (run.route.from, run.route.provider);
    // nested fields are not echoes
    metadata.retain_foreign(&mut |member| member.at.is_some() || !is_echo(from, family, member.key.word()));
    for other in metadata.others_mut().iter_mut().filter(|other| other.value.kind() == Kind::Object) {
        let whole = other.value;
        let provider = Provider::of(other.key.word());
        other.value = run.build_object(|run, object| {
            for field in run.members(whole).into_iter().filter(|field| is_echo(from, provider, field.word)) {
                object.skip(run, field.word);
            }
            object.add_rest(run, Some(whole));
        });
    }
}
