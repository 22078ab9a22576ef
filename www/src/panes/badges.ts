import type { Finding, Severity } from "../engine/protocol.ts";
import { h, icon } from "../page/dom.ts";
import { counted, severityNames } from "../page/names.ts";

/** The number of findings of each severity, or a tick if there are none. */
export function badges(findings: Finding[]): HTMLElement[] {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const found = (["error", "lossy", "note"] as const).filter((severity) => count(severity) > 0);
  if (found.length === 0)
    return [
      h("span", { class: "badge clean", title: "Nothing lost, nothing changed" }, icon("check"), hidden("no warnings")),
    ];
  return found.map((severity) => {
    const text = counted(count(severity), severityNames[severity]);
    return h(
      "span",
      { class: `badge ${severity}`, title: text },
      String(count(severity)),
      hidden(text.replace(/^\d+/, "")),
    );
  });
}

const hidden = (text: string) => h("span", { class: "hidden" }, text);
