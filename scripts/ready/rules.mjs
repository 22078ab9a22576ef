// What `npm run ready` runs for a changed file. `npm test` runs everything.

/** The Rust tests that concern a source: `[paths, test binaries]`. */
export const rustTests = [
  [
    /^(?:src\/(?:bindings|convert|dialect|fit|format|model|run|schema|types|value)\/|src\/lib\.rs|build\.rs)/,
    ["vectors", "types"],
  ],
  [/^src\/text\//, ["text_reading", "text_reasoning", "text_places", "text_recorded"]],
  [/^src\/toolkit\//, ["toolkit"]],
  [/^src\/(?:json\/|\w+\.rs)/, ["text_reading", "toolkit"]],
  [/^tests\/(?:support|vectors)\//, ["vectors", "types"]],
  [/^tests\/text_support\//, ["text_reading"]],
];

/** The unit tests, by the folder of a source: `cargo test --lib` takes one such filter. */
export const unitTests = (path) => path.match(/^src\/(\w+)\//)?.[1];

/** A test binary of its own: `tests/NAME.rs`, or `tests/NAME/….rs`. */
export const ownTest = (path) => path.match(/^tests\/(\w+)(?:\/.*)?\.rs$/)?.[1];

/** The tests in JavaScript that concern a file: `[paths, files or folders]`. Those of `needsPackage` run with a quick build. */
export const nodeTests = [
  [/^(?:src|scripts|bench|docs|tests\/(?:scripts|vectors)|tests\/\w+\.json|.*\.(?:md|toml)$)/, ["tests/scripts"]],
  [/^(?:src|docs|pkg-template|\w+\.md$)/, ["tests/package/english.test.mjs"]],
  [
    /^pkg-template\/(?!text|toolkit|gateway)/,
    ["tests/package/api.test.mjs", "tests/package/command.test.mjs", "tests/package/driver.test.mjs"],
  ],
  [/^pkg-template\/(?:gateway|http)\//, ["tests/package/gateway.test.mjs", "tests/package/gateway-safety.test.mjs"]],
  [/^pkg-template\/text\//, ["tests/text/simulate.test.mjs", "tests/text/read.test.mjs", "tests/text/agent.test.mjs"]],
  [
    /^pkg-template\/toolkit\//,
    ["tests/toolkit/run.test.mjs", "tests/toolkit/registry.test.mjs", "tests/toolkit/agent.test.mjs"],
  ],
];

export const needsPackage = (test) => !test.startsWith("tests/scripts");
