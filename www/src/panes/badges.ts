import type { Finding, Severity } from "../engine/protocol.ts";
import { h, icon } from "../page/dom.ts";
import { counted, severityNames } from "../page/names.ts";

/** The number of findings of each severity, a sign if the target would refuse the output, or a tick if there is neither. */
export function badges(findings: Finding[], refusals: string[] = []): HTMLElement[] {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const found = (["error", "lossy", "note"] as const).filter((severity) => count(severity) > 0);
  const refused = refusals.length > 0 && [
    h("span", { class: "badge refused", title: refusals.join("\n") }, icon("lossy"), hidden("would be refused")),
  ];
  if (found.length === 0)
    return (
      refused || [
        h(
          "span",
          { class: "badge clean", title: "Nothing lost, nothing changed" },
          icon("check"),
          hidden("no warnings"),
        ),
      ]
    );
  const counts = found.map((severity) => {
    const text = counted(count(severity), severityNames[severity]);
    return h(
      "span",
      { class: `badge ${severity}`, title: text },
      String(count(severity)),
      hidden(text.replace(/^\d+/, "")),
    );
  });
  return [...(refused || []), ...counts];
}

const hidden = (text: string) => h("span", { class: "hidden" }, text);
