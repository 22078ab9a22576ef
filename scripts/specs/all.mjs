import { inputsOfRecorded, inputsOfVectors } from "./bodies.mjs";
import { checkBodies } from "./check.mjs";
import { readDescriptions } from "./descriptions.mjs";
import { checkLists, deviations, exceptions } from "./lists.mjs";
import { Report } from "./report.mjs";
import { checkStreams, streamsOfRecorded, streamsOfVectors } from "./streams.mjs";
import { makeValidator } from "./validators.mjs";

/** The exit code. `recorded` may be undefined. */
export function checkAll(toolwire, folder, recorded) {
  const components = readDescriptions(folder);
  const report = new Report(exceptions);
  const inputs = [...inputsOfVectors(), ...(recorded ? inputsOfRecorded(recorded) : [])];
  const validate = makeValidator(components, deviations);
  checkBodies(toolwire, inputs, validate, report);
  const streams = [...streamsOfVectors(), ...(recorded ? streamsOfRecorded(recorded) : [])];
  checkStreams(toolwire, streams, validate, report);
  checkLists(components, report);
  return report.finish();
}
