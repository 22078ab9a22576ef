import * as toolwire from "toolwire";
import { outcomes } from "./uses.js";

globalThis.outcome = outcomes(toolwire);
