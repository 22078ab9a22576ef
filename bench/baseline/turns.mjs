// A turn of the assistant with calls, and the messages after it: results directly after their calls, one for each.

import { warn } from "./warnings.mjs";

const noResult = "No result was given for this call.";
/** Up to this number of calls, one is found without an index. */
const few = 8;

/** A call: `{ wireId, id, message, place, answer, next }`; `answer` is the index of its result or -1, `next` a call with the same id. */
export class Turn {
  // Set here instead of declared, because engines then create objects faster, and there are many turns.
  constructor(message, calls) {
    /** The assistant's messages, and the number of calls up to the end of each. */
    this.messages = [message];
    this.ends = undefined;
    this.calls = calls;
    /** The first call of an id without a result, if there are many calls. */
    this.byId = undefined;
    /** The results in order, their positions in the input, and the indices of their messages. */
    this.results = [];
    this.cameAt = [];
    this.owners = undefined;
    this.others = undefined;
    this.movedAt = -1;
    this.hasFollowers = false;
  }

  /** Adds another message of the assistant before the first result. */
  add(message, calls) {
    this.ends ??= [this.calls.length];
    for (const call of calls) this.calls.push(call);
    this.messages.push(message);
    this.ends.push(this.calls.length);
    this.owners ??= [];
  }

  /** Adds a message between the calls and the end of the turn: it is written after all results. */
  put(message) {
    this.hasFollowers = true;
    this.others ??= [];
    if (message !== undefined) this.others.push(message);
  }

  /** Adds a result; returns false if no call of the turn has its id. */
  answer(id, result, index, warnings) {
    this.hasFollowers = true;
    const call = this.calls.length <= few ? this.search(id) : this.lookUp(id);
    if (call === undefined) return false;
    const owner = this.ownerOf(call);
    const isLate = this.others !== undefined || owner < this.messages.length - 1;
    if (isLate && this.movedAt < 0) this.movedAt = index;
    result.tool_use_id = call.id;
    if (call.answer < 0) {
      call.answer = this.results.length;
      this.results.push(result);
      this.cameAt.push(index);
      this.owners?.push(owner);
    } else {
      warn(warnings, "result_dropped", `/messages/${this.cameAt[call.answer]}`);
      this.results[call.answer] = result;
      this.cameAt[call.answer] = index;
    }
    return true;
  }

  /** The first call of this id without a result; the last call of this id if all have one. */
  search(id) {
    let found;
    for (const call of this.calls) {
      if (call.wireId !== id) continue;
      found = call;
      if (call.answer < 0) break;
    }
    return found;
  }

  lookUp(id) {
    this.byId ??= this.index();
    let call = this.byId.get(id);
    while (call !== undefined && call.answer >= 0 && call.next !== undefined) call = call.next;
    if (call !== undefined) this.byId.set(id, call);
    return call;
  }

  index() {
    const byId = new Map();
    for (let index = this.calls.length - 1; index >= 0; index--) {
      const call = this.calls[index];
      call.next = byId.get(call.wireId);
      byId.set(call.wireId, call);
    }
    return byId;
  }

  /** The index of the message that contains a call. */
  ownerOf(call) {
    if (this.ends === undefined) return 0;
    if (this.calls[0].owner === undefined) {
      let owner = 0;
      for (let index = 0; index < this.calls.length; index++) {
        while (index >= this.ends[owner]) owner += 1;
        this.calls[index].owner = owner;
      }
    }
    return call.owner;
  }

  /** Writes the turn; `isLast`: no turn of the assistant follows. */
  close(messages, isLast, warnings) {
    if (this.movedAt >= 0) warn(warnings, "results_moved", `/messages/${this.movedAt}`);
    const awaits = isLast && this.results.length === 0 && this.others === undefined;
    const due = awaits ? (this.ends?.at(-2) ?? 0) : this.calls.length;
    if (this.results.length < due) this.synthesize(due, warnings);
    if (this.messages.length === 1) this.writeOnly(messages);
    else this.writeEach(messages);
    if (this.others !== undefined) for (const message of this.others) messages.push(message);
  }

  synthesize(due, warnings) {
    for (const call of this.calls.slice(0, due)) {
      if (call.answer >= 0) continue;
      warn(warnings, "result_synthesized", `/messages/${call.message}/tool_calls/${call.place}`);
      this.results.push({ type: "tool_result", tool_use_id: call.id, content: noResult, is_error: true });
      this.owners?.push(this.ownerOf(call));
    }
  }

  writeOnly(messages) {
    if (this.messages[0] !== undefined) messages.push(this.messages[0]);
    if (this.results.length > 0) messages.push({ role: "user", content: this.results });
  }

  writeEach(messages) {
    const results = this.messages.map(() => []);
    for (const [index, result] of this.results.entries()) results[this.owners[index]].push(result);
    for (const [owner, message] of this.messages.entries()) {
      if (message !== undefined) messages.push(message);
      if (results[owner].length > 0) messages.push({ role: "user", content: results[owner] });
    }
  }
}
