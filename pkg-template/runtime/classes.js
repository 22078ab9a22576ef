// Each wasm instance has its own classes. Their objects must not be used after a trap, and must pass `instanceof`
// checks.

import { ToolwireError } from "../../build/generated/toolwire/glue.js";
import { withHint } from "./heads.js";
import { fault } from "./instance.js";

/** Gives the objects of an instance's class the prototype of the public class, and guards their methods. */
export function adoptClass(instanceClass, publicClass, isAlive) {
  const prototype = instanceClass.prototype;
  for (const key of Reflect.ownKeys(prototype)) {
    if (key === "constructor" || key === "__destroy_into_raw") continue;
    const property = Object.getOwnPropertyDescriptor(prototype, key);
    for (const kind of ["value", "get", "set"]) {
      if (typeof property[kind] === "function") property[kind] = guarded(property[kind], isAlive, isRelease(key));
    }
    Object.defineProperty(prototype, key, property);
  }
  Object.setPrototypeOf(prototype, publicClass.prototype);
}

function isRelease(key) {
  return key === "free" || key === Symbol.dispose;
}

function guarded(method, isAlive, release) {
  return function (a, b, c, d) {
    if (!isAlive()) {
      if (release) return undefined;
      throw new ToolwireError("internal", "this object was lost in an internal failure", "");
    }
    if (isFreed(this)) {
      if (release) return undefined;
      throw new ToolwireError("stream_failed", "the stream was freed", "");
    }
    try {
      return method.call(this, a, b, c, d);
    } catch (error) {
      throw withHint(fault(error), this, a);
    }
  };
}

/** Whether an object was freed. wasm-bindgen then sets its pointer to null. */
export function isFreed(object) {
  return object.__wbg_ptr === 0;
}
