// The parts of the benchmark, by name. Each returns sections: `{ title, text, tables, plots }`.

import { measureColdStart } from "./cold.mjs";
import { measureSizes, measureSpeed } from "./compare.mjs";
import { measureGrammars } from "./grammars.mjs";
import { measureGrowth } from "./growth/report.mjs";
import { measureAgent } from "./loops/report.mjs";
import { measureMemory } from "./memory.mjs";
import { measurePeers } from "./peers/report.mjs";
import { measureProfile } from "./profile.mjs";
import { measureShares } from "./shares.mjs";
import { measureCode, measureSize } from "./size.mjs";
import { measureStreams } from "./streams/report.mjs";
import { measureText } from "./text/report.mjs";
import { measureToolkit } from "./toolkit/report.mjs";

/** bench/page/arrange.mjs states their order on the page. The last one helps to find slow code. */
export const parts = {
  speed: measureSpeed,
  shares: measureShares,
  sizes: measureSizes,
  streams: measureStreams,
  cold: measureColdStart,
  memory: measureMemory,
  growth: measureGrowth,
  peers: measurePeers,
  size: measureSize,
  code: measureCode,
  toolkit: measureToolkit,
  agent: measureAgent,
  text: measureText,
  grammars: measureGrammars,
  profile: measureProfile,
};

/** The parts on the page. */
export const onPage = Object.keys(parts).filter((name) => !["profile", "agent", "text", "grammars"].includes(name));
