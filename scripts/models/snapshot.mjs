// The catalogues in the repository: facts only, one line for each set of models with the same facts.

import { readFileSync } from "node:fs";

const file = new URL("snapshot.json", import.meta.url);

const NOTES = {
  litellm: {
    source: "model_prices_and_context_window_backup.json of the PyPI wheel litellm",
    licence: "MIT, https://github.com/BerriAI/litellm",
  },
  pi: {
    source: "dist/providers/data of the npm package @earendil-works/pi-ai",
    licence: "MIT, https://github.com/earendil-works/pi",
  },
};

/** `{ litellm: { version, models: [{ model, to, platform, facts }] }, pi: … }` */
export function readSnapshot() {
  const catalogues = JSON.parse(readFileSync(file, "utf8"));
  return Object.fromEntries(
    Object.entries(catalogues).map(([name, { version, groups }]) => {
      const models = groups.flatMap(({ models, ...rest }) => models.map((model) => ({ model, ...rest })));
      return [name, { version, models }];
    }),
  );
}

export function writeSnapshot(catalogues, write) {
  const lines = Object.entries(catalogues).map(([name, { version, models }]) => {
    const groups = new Map();
    for (const { model, ...rest } of models) {
      const key = JSON.stringify(rest);
      groups.set(key, [...(groups.get(key) ?? []), model]);
    }
    const rows = [...groups].map(([rest, models]) => JSON.stringify({ models: models.sort(), ...JSON.parse(rest) }));
    const head = JSON.stringify({ ...NOTES[name], version }).slice(0, -1);
    return `${JSON.stringify(name)}: ${head},"groups":[\n${rows.sort().join(",\n")}\n]}`;
  });
  write(file, `{\n${lines.join(",\n")}\n}\n`);
}
