//! Numbers in JavaScript's notation.

/// Appends a number as `JSON.stringify` prints it.
pub fn put(out: &mut Vec<u8>, number: f64) {
    const SMALL: f64 = 1_000_000_000.0;
    let whole = number as u32;
    if !(0.0..SMALL).contains(&number) || f64::from(whole) != number {
        out.extend_from_slice(javascript(number).as_bytes());
        return;
    }
    let start = out.len();
    let mut rest = whole;
    loop {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.get_mut(start..).unwrap_or_default().reverse();
}

/// Integers of up to this many digits are exact in a double.
const EXACT_DIGITS: usize = 15;

/// The value of a JSON number; 0 for any other text.
pub fn read(json: &[u8]) -> f64 {
    if (1..=EXACT_DIGITS).contains(&json.len()) && json.iter().all(u8::is_ascii_digit) {
        return json.iter().fold(0, |number: u64, digit| number * 10 + u64::from(digit - b'0')) as f64;
    }
    parsed(std::str::from_utf8(json).unwrap_or_default())
}

#[cfg(not(target_arch = "wasm32"))]
fn parsed(text: &str) -> f64 {
    text.parse().unwrap_or(0.0)
}

/// Asks the host to parse it, as this would be 20 kB of tables and code here.
#[cfg(target_arch = "wasm32")]
fn parsed(text: &str) -> f64 {
    js_sys::parse_float(text)
}

/// Whether JavaScript would print this number unchanged after reading it.
pub fn is_as_javascript_prints(json: &[u8]) -> bool {
    let digits = json.strip_prefix(b"-").unwrap_or(json);
    let is_whole = digits.iter().all(u8::is_ascii_digit) && digits != b"0";
    is_whole && digits.len() <= EXACT_DIGITS || javascript(read(json)).as_bytes() == json
}

/// The text that `JSON.stringify` prints for a number.
#[cfg(target_arch = "wasm32")]
pub fn javascript(number: f64) -> String {
    let text = js_sys::JSON::stringify(&number.into()).ok();
    text.and_then(|text| wasm_bindgen::JsValue::from(text).as_string()).unwrap_or_else(|| "null".to_owned())
}

/// The text that `JSON.stringify` prints for a number.
#[cfg(not(target_arch = "wasm32"))]
pub fn javascript(number: f64) -> String {
    if !number.is_finite() {
        return "null".to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    // the shortest digits that read back as this number, and the exponent
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let sign = if number < 0.0 { "-" } else { "" };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.len() as i32;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    match point {
        1..=21 if count <= point => format!("{sign}{digits}{}", zeros(point - count)),
        1..=21 => {
            let (whole, fraction) = digits.split_at_checked(point as usize).unwrap_or((&digits, ""));
            format!("{sign}{whole}.{fraction}")
        }
        -5..=0 => format!("{sign}0.{}{digits}", zeros(-point)),
        _ => {
            let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            let point_and_rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
            format!("{sign}{first}{point_and_rest}e{}{}", if point > 0 { "+" } else { "-" }, (point - 1).abs())
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn as_javascript_prints_them() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1.5e-10, "1.5e-10"),
            (0.000001, "0.000001"),
            (1e-7, "1e-7"),
            (123456.789, "123456.789"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (9007199254740993.0, "9007199254740992"),
            (f64::NAN, "null"),
        ] {
            assert_eq!(super::javascript(number), text);
        }
    }

    #[test]
    fn put_prints_numbers_as_javascript_does() {
        for number in
            [0.0, -0.0, 7.0, 10.0, 4096.0, 999_999_999.0, 1e9, 4294967296.0, 0.5, -1.0, f64::NAN, f64::INFINITY]
        {
            let mut out = b"x".to_vec();
            super::put(&mut out, number);
            assert_eq!(out, format!("x{}", super::javascript(number)).into_bytes());
        }
    }
}
