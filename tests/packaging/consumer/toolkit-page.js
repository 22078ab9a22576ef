import * as toolkit from "toolwire/toolkit";
import { outcomes } from "./toolkit-uses.js";

globalThis.outcome = outcomes(toolkit);
