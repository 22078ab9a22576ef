// What can be measured, by name. Each part gives sections: `{ title, text, tables, plots }`.

import { measureColdStart } from "./cold.mjs";
import { measureSizes, measureSpeed } from "./compare.mjs";
import { measureGrowth } from "./growth/report.mjs";
import { measureMemory } from "./memory.mjs";
import { measurePeers } from "./peers/report.mjs";
import { measureCode, measureSize } from "./size.mjs";
import { measureStreams } from "./streams/report.mjs";

/** In the order of the page. */
export const parts = {
  speed: measureSpeed,
  sizes: measureSizes,
  streams: measureStreams,
  cold: measureColdStart,
  memory: measureMemory,
  growth: measureGrowth,
  peers: measurePeers,
  size: measureSize,
  code: measureCode,
};

export const names = Object.keys(parts);
