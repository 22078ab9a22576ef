// Call ids: legal for the target, and unique in the conversation.

import { warn } from "./warnings.mjs";

const legal = /^[a-zA-Z0-9_-]+$/;

export class CallIds {
  #taken = new Set();
  #made = 0;

  /** The target's id for a call. */
  idFor(id, index, place, warnings) {
    if (id === undefined || id === null || id === "") return this.#make();
    if (legal.test(id) && this.#taken.size !== this.#taken.add(id).size) return id;
    warn(warnings, "id_rewritten", `/messages/${index}/tool_calls/${place}/id`);
    return this.#make();
  }

  #make() {
    for (;;) {
      const id = `made_${this.#made++}`;
      if (this.#taken.size !== this.#taken.add(id).size) return id;
    }
  }
}
