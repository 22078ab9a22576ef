import { inputsOfRecorded, inputsOfVectors } from "./bodies.mjs";
import { checkBodies } from "./check.mjs";
import { readDescriptions } from "./descriptions.mjs";
import { checkLists, deviations, exceptions } from "./lists.mjs";
import { Report } from "./report.mjs";
import { makeValidator } from "./validators.mjs";

/** The exit code. */
export function checkAll(toolwire, folder, payloads) {
  const components = readDescriptions(folder);
  const report = new Report(exceptions);
  const inputs = [...inputsOfVectors(), ...inputsOfRecorded(payloads)];
  checkBodies(toolwire, inputs, makeValidator(components, deviations), report);
  checkLists(components, report);
  return report.finish();
}
