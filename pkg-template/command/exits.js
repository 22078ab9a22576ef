// The exit codes, and the error that carries them.

export const exits = {
  ok: { code: 0, meaning: "converted or repaired; all calls can run" },
  conversion: {
    code: 1,
    meaning:
      "the input can't be converted or repaired, or a call can't run; what is wrong, and where, is on standard error",
  },
  usage: { code: 2, meaning: "incorrect use: an unknown flag or value, or a file that can't be read" },
  lossy: { code: 3, meaning: "--lossy error: something would be lost" },
  unrecognised: { code: 4, meaning: "the format of the input is not recognised: give --from, and --kind if asked for" },
};

/** Ends the command with a one-line message and the exit code of this name. */
export class Stop extends Error {
  constructor(exit, message) {
    super(message);
    this.exit = exit;
  }
}
