// One function with many possible outcomes.

class ToolError extends Error {
  constructor(message, type, retryable) {
    super(message);
    this.name = "ToolError";
    this.type = type;
    this.retryable = retryable;
  }
}

const ways = {
  throws: () => {
    throw new RangeError("too far");
  },
  toolError: () => {
    throw new ToolError("no such city", "not_found", false);
  },
  notCloned: () => () => 1,
  exits: () => process.exit(3),
  usage: (_args, { addUsage }) => {
    addUsage({ input: 5 });
    return "counted";
  },
  async *progress() {
    yield 1;
    yield 2;
    return "three";
  },
  *sync() {
    yield 3;
    return "four";
  },
  signal: (_args, { signal }) => signal.aborted,
};

export default (args, call) => ways[args.way](args, call);
