// The built toolkit, as the tests load it.

export * from "../../../pkg/dist/toolkit/index.js";

let ids = 0;

/** A call with an id of its own. */
export const callOf = (name, args = {}, id = `call_${++ids}`) => ({ id, name, arguments: args });

/** The value of an error result. */
export const errorOf = (execution) => {
  const { status, result } = execution;
  if (status !== "failed") throw new Error(`expected a failed execution, received ${JSON.stringify(execution)}`);
  return result.value;
};

/** A promise with the functions that settle it. */
export function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/** Waits until everything has run that needs no timer. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
