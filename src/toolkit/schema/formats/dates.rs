//! `date-time`, `date` and `time` of RFC 3339, and its `duration`.

/// Parses exactly `digits` digits at the start of a text. Returns the number and the rest.
fn number(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let number = number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())??;
    Some((number, rest))
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The part after the date.
fn after_date(text: &str) -> Option<&str> {
    let (year, rest) = number(text, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
    ((1..=12).contains(&month) && (1..=days(year, month)).contains(&day)).then_some(rest)
}

pub fn is_date(text: &str) -> bool {
    after_date(text) == Some("")
}

pub fn is_time(text: &str) -> bool {
    time(text).is_some()
}

fn time(text: &str) -> Option<()> {
    let (hour, rest) = number(text, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = number(rest.strip_prefix(':')?, 2)?;
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let after = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
            (after.len() < fraction.len()).then_some(after)?
        }
        None => rest,
    };
    let offset = offset(rest)?;
    let in_range = hour <= 23 && minute <= 59 && second <= 60;
    // Leap seconds occur only at the end of a day in UTC.
    let utc = (i64::from(hour) * 60 + i64::from(minute) - offset).rem_euclid(24 * 60);
    (in_range && (second < 60 || utc == 24 * 60 - 1)).then_some(())
}

/// The offset from UTC in minutes.
fn offset(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, rest) = number(text.get(1..)?, 2)?;
    let (minutes, rest) = number(rest.strip_prefix(':')?, 2)?;
    (rest.is_empty() && hours <= 23 && minutes <= 59).then_some(sign * (i64::from(hours) * 60 + i64::from(minutes)))
}

pub fn is_date_time(text: &str) -> bool {
    after_date(text).and_then(|rest| rest.strip_prefix(['T', 't'])).is_some_and(is_time)
}

pub fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    if let Some(weeks) = rest.strip_suffix('W') {
        return !weeks.is_empty() && weeks.bytes().all(|byte| byte.is_ascii_digit());
    }
    let (date, time) = rest.split_once('T').map_or((rest, None), |(date, time)| (date, Some(time)));
    let date_is_right = if date.is_empty() { time.is_some() } else { is_series(date, "YMD") };
    date_is_right && time.is_none_or(|time| is_series(time, "HMS"))
}

/// Whether a text is a sequence of numbers with units, in the order of `units` and without gaps.
fn is_series(text: &str, units: &str) -> bool {
    let mut given = String::new();
    let mut digits = 0;
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits += 1;
        } else if digits > 0 {
            given.push(letter);
            digits = 0;
        } else {
            return false;
        }
    }
    digits == 0 && !given.is_empty() && units.contains(&given)
}
