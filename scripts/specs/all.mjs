import { inputsOfRecorded, inputsOfVectors } from "./bodies.mjs";
import { checkBodies } from "./check.mjs";
import { readDescriptions } from "./descriptions.mjs";
import { checkLists, deviations, exceptions } from "./lists.mjs";
import { Report } from "./report.mjs";
import { makeValidator } from "./validators.mjs";

/** The exit code. `recorded` may be undefined. */
export function checkAll(toolwire, folder, recorded) {
  const components = readDescriptions(folder);
  const report = new Report(exceptions);
  const inputs = [...inputsOfVectors(), ...(recorded ? inputsOfRecorded(recorded) : [])];
  checkBodies(toolwire, inputs, makeValidator(components, deviations), report);
  checkLists(components, report);
  return report.finish();
}
