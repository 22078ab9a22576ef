// Counts the cases that a reader reads correctly, whole and in pieces.

import { isDeepStrictEqual } from "node:util";

/** The lengths of the pieces, in characters. */
const sizes = [1, 3, 20];

export function piecesOf(text, size) {
  const characters = [...text];
  const pieces = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}

/** The ids of the cases that are read wrongly, and the wrong results: `{ whole, inPieces }`, each a list of `{ id, wrong }`. */
export async function mistakesOf(side, cases) {
  const mistakes = { whole: [], inPieces: [] };
  for (const one of cases) {
    const note = (list, wrong) => wrong && list.push({ id: one.id, wrong });
    note(mistakes.whole, await mistakeIn(() => side.whole(one.text, one), one.expected));
    let wrong;
    for (const size of sizes)
      wrong ??= await mistakeIn(() => side.inPieces(piecesOf(one.text, size), one), one.expected);
    note(mistakes.inPieces, wrong);
  }
  return mistakes;
}

async function mistakeIn(read, expected) {
  let found;
  try {
    found = await read();
  } catch (error) {
    return `fails: ${error.message}`;
  }
  if (!isDeepStrictEqual(found.calls, expected.calls)) return `calls: ${JSON.stringify(found.calls)}`;
  return isSameText(found, lettersOf(expected.text)) ? undefined : `text: ${JSON.stringify(found.text)}`;
}

/** Ignores white space around calls. A broken call may be reported as such instead of being kept in the text. */
function isSameText({ text, broken }, wanted) {
  if (broken.length === 0) return lettersOf(text) === wanted;
  return [text, ...broken].every((part) => wanted.includes(lettersOf(part)));
}

const lettersOf = (text) => text.replaceAll(/\s/g, "");
