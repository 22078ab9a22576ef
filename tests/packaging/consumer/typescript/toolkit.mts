import * as toolkit from "toolwire/toolkit";
import { outcomes } from "../toolkit-uses.js";

const add = toolkit.tool({ name: "add", parameters: [{ name: "a", type: "integer" }], execute: ({ a }) => a + 1 });
// @ts-expect-error: a number has no length
add.execute?.({ a: "text" }, undefined)?.length;

console.log(JSON.stringify(await outcomes(toolkit)));
