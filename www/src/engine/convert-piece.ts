// Converts pieces of a request that are given alone, in a request that contains them. They are taken out of the converted one, so that numbers keep
// their digits.

import { type Conversion, convertRequest, type Dialect, ToolwireError, type Warning } from "toolwire";
import { toolsIn } from "../../../pkg-template/command/convert.js";
import { memberText } from "../../../pkg-template/command/json-text.js";
import { itemsOf } from "./frames.ts";
import { chatUser, formOf, type PieceKind } from "./pieces.ts";

type Json = Record<string, unknown>;

/** A request with the piece in it; `path` leads to the piece. */
function requestWith(kind: PieceKind, text: string, value: unknown, from: Dialect): { body: string; path: string } {
  const { turns, user, model } = formOf(from);
  const list = Array.isArray(value) ? text.trim().slice(1, -1) : text;
  const single = Array.isArray(value) ? "" : "/0";
  if (kind === "messages") return { body: `{"${turns}":[${list}]}`, path: `/${turns}${single}` };
  if (kind === "schema") {
    const canonical = `{"messages":[${chatUser}],"tools":[{"name":"f","parameters":${text}}]}`;
    return { body: canonical, path: "/tools/0/parameters" };
  }
  const calls = formOf(from).calls;
  const turn = model ? `${model[0]}${list}${model[1]}` : list;
  return { body: `{"${turns}":[${user},${turn}]}`, path: model ? `/${turns}/1/${calls}${single}` : `/${turns}` };
}

/** `convert` converts the request with the piece in it. */
export function convertPiece(
  kind: PieceKind,
  text: string,
  value: unknown,
  { onWarning, ...conversion }: Conversion,
  convert: typeof convertRequest = convertRequest,
): string {
  if (value === undefined) return convert(text, conversion);
  const { body, path } = requestWith(kind, text, value, conversion.from);
  // a schema is the same in every format's tools
  const from = kind === "schema" ? "canonical" : conversion.from;
  const concerns = (at: string) => at === path || at.startsWith(`${path}/`);
  const note = (warning: Warning) =>
    concerns(warning.path) && onWarning?.({ ...warning, path: warning.path.slice(path.length) });
  try {
    return taken(kind, convert(body, { ...conversion, from, onWarning: note }), conversion.to, !Array.isArray(value));
  } catch (error) {
    if (!(error instanceof ToolwireError) || !concerns(error.path)) throw error;
    const message = error.message.startsWith(path)
      ? error.message.slice(path.length).replace(/^: /, "")
      : error.message;
    throw new ToolwireError(error.code, message, error.path.slice(path.length), error.dialect);
  }
}

const textsIn = (list: string | undefined) => itemsOf(list ?? "[]").map(({ from, to }) => (list ?? "").slice(from, to));
const joined = (items: string[], single: boolean) =>
  single && items.length === 1 ? (items[0] ?? "") : `[${items.join(",")}]`;

/** The piece in a converted request. */
function taken(kind: PieceKind, request: string, to: Dialect, isSingle: boolean): string {
  const { turns, calls, schema, system, isCall } = formOf(to);
  const list = textsIn(memberText(request, turns));
  if (kind === "schema") {
    if (schema.length === 0) throw new ToolwireError("unsupported", "this format has no tools", "");
    return schema.reduce(
      (text, step) => {
        const found =
          step
            .split("|")
            .map((name) => memberText(text, name))
            .find((held) => held !== undefined) ?? "{}";
        return found.startsWith("[") ? (textsIn(found)[0] ?? "{}") : found;
      },
      textsIn(toolsIn(request, to) as string)[0] ?? "{}",
    );
  }
  if (kind === "messages") {
    const first = system && memberText(request, system);
    return first ? `{"${system}":${first},"${turns}":[${list.join(",")}]}` : joined(list, isSingle);
  }
  const isOwnCall = (text: string) => isCall(JSON.parse(text) as Json) || to === "universal";
  const found = calls
    ? list.flatMap((turn) => textsIn(memberText(turn, calls))).filter(isOwnCall)
    : list.filter(isOwnCall);
  return joined(found, isSingle);
}
