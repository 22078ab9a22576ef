//! `toolwire-native-speed KIND FROM TO FILES…`: prints the nanoseconds of one conversion, the median of many samples. The kind is `request`
//! or `response`, of one file, or `stream`, of one file for each piece.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use toolwire::{Dialect, Options, StreamConverter, Subject, ToolwireError, convert_text};

const WARM_UP: Duration = Duration::from_millis(300);
const MEASURED: Duration = Duration::from_millis(300);
const SAMPLE: Duration = Duration::from_micros(1500);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, from, to, files @ ..] = arguments.as_slice() else {
        return Err("expected KIND FROM TO FILES".into());
    };
    let dialect = |name: &str| Dialect::of(name).ok_or_else(|| format!("no dialect is called {name}"));
    let (from, to) = (dialect(from)?, dialect(to)?);
    let pieces = files.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let nanoseconds = match (kind.as_str(), pieces.as_slice()) {
        ("request", [body]) => nanoseconds_of(|| convert_body(body, Subject::Request, from, to))?,
        ("response", [body]) => nanoseconds_of(|| convert_body(body, Subject::Response, from, to))?,
        ("stream", pieces) => nanoseconds_of(|| convert_stream(pieces, from, to))?,
        _ => return Err("expected request or response and one file, or stream".into()),
    };
    println!("{nanoseconds}");
    Ok(())
}

fn convert_body(body: &[u8], kind: Subject, from: Dialect, to: Dialect) -> Result<(), Box<ToolwireError>> {
    convert_text(black_box(body.to_vec()), kind, from, to, Options::default())
        .map(|converted| drop(black_box(converted)))
}

fn convert_stream(pieces: &[Vec<u8>], from: Dialect, to: Dialect) -> Result<(), Box<ToolwireError>> {
    let mut converter = StreamConverter::new(from, to, Options::default())?;
    for piece in pieces {
        let written = converter.push(black_box(piece))?;
        // like the package
        converter.reuse(black_box(written));
    }
    converter.finish().map(|rest| drop(black_box(rest)))
}

fn nanoseconds_of(run: impl Fn() -> Result<(), Box<ToolwireError>>) -> Result<f64, String> {
    run().map_err(|error| error.message)?;
    Ok(median_nanoseconds(|| drop(run())))
}

fn median_nanoseconds(run: impl Fn()) -> f64 {
    let mut runs = 0_u32;
    let start = Instant::now();
    while start.elapsed() < WARM_UP {
        run();
        runs += 1;
    }
    let per_sample = (f64::from(runs) * SAMPLE.as_secs_f64() / WARM_UP.as_secs_f64()).max(1.0) as u32;
    let mut samples = Vec::new();
    let start = Instant::now();
    while start.elapsed() < MEASURED {
        let before = Instant::now();
        (0..per_sample).for_each(|_| run());
        samples.push(before.elapsed().as_nanos() as f64 / f64::from(per_sample));
    }
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN)
}
