// Async generators of events that return a response, with a promise of it.

/**
 * An async generator with the promise `response`: it resolves with what the generator returns, whoever reads it, and rejects if the generator
 * throws or is left early. `generate` gets the functions that settle it; `leftEarly` makes the error.
 */
export function eventStream(generate, leftEarly) {
  let ends;
  const response = new Promise((resolve, reject) => {
    ends = { resolve, reject };
  });
  // no unhandled rejection where only the events are read
  response.catch(() => {});
  const events = generate(ends);
  const leave = events.return;
  return Object.defineProperties(events, {
    response: { value: response, enumerable: true },
    // also called before the first event, when the generator runs no code of its own
    return: {
      value(value) {
        ends.reject(leftEarly());
        return leave.call(events, value);
      },
    },
  });
}
