// The example that a first visit shows, without its text.

export const firstDescription = {
  id: "parallel-calls",
  title: "Parallel calls",
  note: "Two calls in one turn, with their results in reverse order. Google requires the order of the calls.",
  group: "Calls and results",
};

/** The format that it is shown in. */
export const firstTarget = "anthropic";
