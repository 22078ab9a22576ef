// Options are read as JSON. Those of the last call are noted as they stood, as long as they are flat: most calls pass the
// same again, and to compare costs less than to serialise. Nothing here throws but `textOf`; where in doubt, JSON tells.

/** Says that there are no options. */
const NONE = 1;

let noted = [];
let number = NONE;

/** Notes what the options say; gives a number for it, 0 for what is not flat. */
export function note(options) {
  noted = [];
  number++;
  try {
    if (!isSimple(options)) return 0;
    for (const [key, { value, enumerable, get }] of Object.entries(Object.getOwnPropertyDescriptors(options))) {
      if (!enumerable || isSilent(key, value)) continue;
      if (get !== undefined || (typeof value === "object" && value !== null)) return 0;
      noted.push(key, value);
    }
    return number;
  } catch {
    return 0;
  }
}

/** The number of what was noted last, if the options say the same; else 0. */
export function numberOf(options) {
  if (options === undefined || options === null) return NONE;
  if (number === NONE) return 0;
  const entries = noted;
  const known = number;
  try {
    if (!isSimple(options)) return 0;
    let at = 0;
    for (const key in options) {
      const value = options[key];
      if (isSilent(key, value)) continue;
      if (entries[at] !== key || entries[at + 1] !== value) return 0;
      at += 2;
    }
    return at === entries.length ? known : 0;
  } catch {
    return 0;
  }
}

/** Whether the options are what their own properties say. */
function isSimple(options) {
  const prototype = Object.getPrototypeOf(options);
  return (prototype === Object.prototype || prototype === null) && options.toJSON === undefined;
}

/** Whether JSON leaves it out. */
function isSilent(key, value) {
  return key === "onWarning" && typeof value === "function" && value.toJSON === undefined;
}

/** The options as JSON. Functions under other names would be left out unheard: they stand there, for an error to tell of them. */
export function textOf(options) {
  return JSON.stringify(options, (key, value) => (typeof value === "function" && key !== "onWarning" ? false : value));
}
