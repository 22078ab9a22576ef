//! `toolwire-native-speed KIND FROM TO FILE`: prints the nanoseconds of one conversion of the file, the median of many samples.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use toolwire::{Dialect, Kind, Options, convert_text};

const WARM_UP: Duration = Duration::from_millis(300);
const MEASURED: Duration = Duration::from_millis(300);
const SAMPLE: Duration = Duration::from_micros(1500);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, from, to, file] = arguments.as_slice() else {
        return Err("expected KIND FROM TO FILE".into());
    };
    let kind = match kind.as_str() {
        "request" => Kind::Request,
        "response" => Kind::Response,
        other => return Err(format!("no kind is called {other}").into()),
    };
    let dialect = |name: &str| Dialect::of(name).ok_or_else(|| format!("no dialect is called {name}"));
    let (from, to) = (dialect(from)?, dialect(to)?);
    let body = std::fs::read(file)?;
    let convert = || convert_text(black_box(body.clone()), kind, from, to, Options::default());
    convert().map_err(|error| error.message)?;
    println!("{}", median_nanoseconds(|| drop(black_box(convert()))));
    Ok(())
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
