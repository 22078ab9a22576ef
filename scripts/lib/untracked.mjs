// A module for `node --import`, before test files. To name the test that an uncaught error belongs to, Node 20's test runner tracks every
// promise, which takes more than half of the time of tests with many requests. Without that, such an error fails the file, and
// suites do not find the hooks around them.

import hooks from "node:async_hooks";

const { createHook } = hooks;
hooks.createHook = () => ({ enable() {}, disable() {} });
await import("node:test");
hooks.createHook = createHook;
