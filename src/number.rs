//! The notation of numbers. In wasm the engine reads and prints them: tables for that would take 20 kB.

/// Powers of ten that a double represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Decimals of up to this many digits are exact in a double, apart from their point.
pub const EXACT_DIGITS: usize = 15;

/// The value of a number in decimal notation.
pub fn parse(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mut all, mut count, mut point) = (0_u64, 0, None);
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' if count < EXACT_DIGITS => {
                all = all * 10 + u64::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return host::parse(text),
        }
    }
    let decimals = count - point.unwrap_or(count);
    let Some(power) = POWERS.get(decimals).filter(|_| count > 0) else { return host::parse(text) };
    // the single division is rounded correctly
    let value = all as f64 / power;
    Some(if digits.len() < text.len() { -value } else { value })
}

/// Appends an integer, without the machinery of formatting.
#[cfg(any(feature = "conversions", all(feature = "toolkit", target_arch = "wasm32")))]
pub fn push_whole(out: &mut Vec<u8>, number: u32) {
    let start = out.len();
    let mut rest = number;
    loop {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.get_mut(start..).unwrap_or_default().reverse();
}

/// Where a notation has a point, and where an exponent.
#[cfg(any(feature = "text", feature = "toolkit", not(target_arch = "wasm32")))]
struct Notation {
    /// The most digits before the point.
    longest: i32,
    /// The most zeros after the point, negative.
    smallest: i32,
    /// What follows a whole number.
    end: &'static str,
}

/// The shortest text that reads back as the number. Always has a point or an exponent, as serde_json prints it.
#[cfg(any(target_arch = "wasm32", test))]
#[cfg(any(feature = "text", feature = "toolkit"))]
pub fn float(number: f64) -> String {
    printed(number, &Notation { longest: 16, smallest: -4, end: ".0" })
}

/// The text that `JSON.stringify` prints for a number.
#[cfg(all(feature = "conversions", not(target_arch = "wasm32")))]
pub fn javascript(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        _ if number.is_finite() => printed(number, &Notation { longest: 21, smallest: -5, end: "" }),
        _ => "null".to_owned(),
    }
}

/// The text that `JSON.stringify` prints for a number.
#[cfg(all(feature = "conversions", target_arch = "wasm32"))]
pub fn javascript(number: f64) -> String {
    let text = js_sys::JSON::stringify(&number.into()).ok();
    text.and_then(|text| wasm_bindgen::JsValue::from(text).as_string()).unwrap_or_else(|| "null".to_owned())
}

#[cfg(any(feature = "text", feature = "toolkit", not(target_arch = "wasm32")))]
fn printed(number: f64, notation: &Notation) -> String {
    let (sign, size, end) = (if number.is_sign_negative() { "-" } else { "" }, number.abs(), notation.end);
    if size < 1e15 && size.fract() == 0.0 {
        return format!("{sign}{}{end}", size as u64);
    }
    let scientific = host::scientific(size);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.trim_start_matches('+').parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    let count = digits.len() as i32;
    let point = exponent + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if point > notation.longest || point < notation.smallest {
        format!("{sign}{mantissa}e{exponent:+}")
    } else if point < 1 {
        format!("{sign}0.{}{digits}", zeros(-point))
    } else if count <= point {
        format!("{sign}{digits}{}{end}", zeros(point - count))
    } else {
        let (whole, fraction) = digits.split_at_checked(point as usize).unwrap_or((&digits, ""));
        format!("{sign}{whole}.{fraction}")
    }
}

#[cfg(target_arch = "wasm32")]
mod host {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = Number)]
        fn number(text: &str) -> f64;
    }

    pub fn parse(text: &str) -> Option<f64> {
        let value = number(text);
        (!value.is_nan()).then_some(value)
    }

    /// The shortest digits, as `1.5e+21`.
    #[cfg(any(feature = "text", feature = "toolkit"))]
    pub fn scientific(value: f64) -> String {
        #[wasm_bindgen]
        extern "C" {
            type JsNumber;
            #[wasm_bindgen(method, js_name = toExponential)]
            fn to_exponential(this: &JsNumber) -> String;
        }
        JsValue::from_f64(value).unchecked_ref::<JsNumber>().to_exponential()
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod host {
    pub fn parse(text: &str) -> Option<f64> {
        text.parse().ok()
    }

    pub fn scientific(value: f64) -> String {
        format!("{value:e}")
    }
}

#[cfg(test)]
#[cfg(feature = "conversions")]
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
}
