//! The reasoning efforts that OpenAI's models accept. Both of its formats have the same models.
//!
//! Source: <https://platform.openai.com/docs/guides/reasoning>, and the API's errors ("Supported values are: …"). Other models, including those of
//! other servers, get every effort unchanged.

use super::reasoning::{ALL_EFFORTS, Efforts, Takes};
use crate::model::{Setting, Settings};
use crate::run::Run;
use crate::value::Word;
use crate::value::text::split_around;

const ANY: Takes = Takes { efforts: Some(ALL_EFFORTS), off: true, ..Takes::NOTHING };
/// The o series.
const O_SERIES: Efforts = [Word::low, Word::low, Word::medium, Word::high, Word::high, Word::high];
/// GPT-5: reasoning can't be turned off.
const GPT_5: Efforts = [Word::minimal, Word::low, Word::medium, Word::high, Word::high, Word::high];
/// GPT-5.1: as the o series, but reasoning can be turned off.
const GPT_5_1: Takes = Takes { efforts: Some(O_SERIES), ..ANY };
const GPT_5_2: Takes =
    Takes { efforts: Some([Word::low, Word::low, Word::medium, Word::high, Word::xhigh, Word::xhigh]), ..ANY };

/// What the request's model accepts. Requests between OpenAI's formats are not changed.
pub fn takes(run: &Run, settings: &Settings) -> Takes {
    let model = settings.get(Setting::Model).filter(|_| run.route.from.provider() != run.route.to.provider());
    model.map_or(ANY, |(model, _)| of_model(&run.store.text(model)))
}

fn of_model(model: &str) -> Takes {
    if let Some((_, version)) = split_around(model, "gpt-") {
        let mut numbers = version.split(|letter: char| !letter.is_ascii_digit() && letter != '.').next().into_iter();
        return match numbers.next().unwrap_or_default() {
            "5" => Takes { efforts: Some(GPT_5), ..Takes::NOTHING },
            "5.1" => GPT_5_1,
            "5.2" => GPT_5_2,
            version if version.starts_with(['3', '4']) => Takes::NOTHING,
            _ => ANY,
        };
    }
    let name = model.rsplit('/').next().unwrap_or(model);
    match name.as_bytes() {
        [b'o', b'1' | b'3' | b'4'] | [b'o', b'1' | b'3' | b'4', b'-', ..] => {
            Takes { efforts: Some(O_SERIES), ..Takes::NOTHING }
        }
        _ => ANY,
    }
}
