// What the panel with code loads when it is first opened.

export { snippetsOf } from "../page/code.ts";
export { coloured } from "./code-colours.ts";
