import * as text from "toolwire/text";
import { outcomes } from "./text-uses.js";

globalThis.outcome = outcomes(text);
