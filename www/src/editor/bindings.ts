// Key bindings. CodeMirror's own table imports its language support, which is three times as large as this file. Tab has no binding, so
// that it moves the focus out of the editor.

import * as commands from "@codemirror/commands";
import { EditorSelection, type Extension, findClusterBreak, type Line } from "@codemirror/state";
import { type Command, type KeyBinding, keymap } from "@codemirror/view";

/** Deletes the selection, or the character beside the cursor. */
const deleteCharacter =
  (forward: boolean): Command =>
  ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const changes = state.changeByRange(({ from, to, head }) => {
      const beside = from === to ? besideCursor(state.doc.lineAt(head), head, forward, state.doc.length) : head;
      const range = from === to ? { from: Math.min(head, beside), to: Math.max(head, beside) } : { from, to };
      return { changes: range, range: EditorSelection.cursor(range.from) };
    });
    if (changes.changes.empty) return false;
    dispatch(
      state.update(changes, { scrollIntoView: true, userEvent: forward ? "delete.forward" : "delete.backward" }),
    );
    return true;
  };

function besideCursor({ text, from }: Line, head: number, forward: boolean, length: number): number {
  const place = from + findClusterBreak(text, head - from, forward);
  return place === head ? Math.min(length, Math.max(0, head + (forward ? 1 : -1))) : place;
}

/** Inserts a line break, and indents the new line by the depth of the JSON. */
const newLine: Command = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const changes = state.changeByRange(({ from, to }) => {
    const { text, from: start } = state.doc.lineAt(from);
    const indentation = /^[ \t]*/.exec(text.slice(0, from - start))?.[0] ?? "";
    const opens = /[[{]\s*$/.test(text.slice(0, from - start));
    const closes = /^\s*[\]}]/.test(state.sliceDoc(to, to + 20));
    const inner = `\n${indentation}${opens ? "  " : ""}`;
    const insert = opens && closes ? `${inner}\n${indentation}` : inner;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(from + inner.length) };
  });
  dispatch(state.update(changes, { scrollIntoView: true, userEvent: "input" }));
  return true;
};

const bindings: KeyBinding[] = [
  { key: "ArrowLeft", run: commands.cursorCharLeft, shift: commands.selectCharLeft },
  { key: "ArrowRight", run: commands.cursorCharRight, shift: commands.selectCharRight },
  { key: "Mod-ArrowLeft", mac: "Alt-ArrowLeft", run: commands.cursorGroupLeft, shift: commands.selectGroupLeft },
  { key: "Mod-ArrowRight", mac: "Alt-ArrowRight", run: commands.cursorGroupRight, shift: commands.selectGroupRight },
  { mac: "Cmd-ArrowLeft", run: commands.cursorLineBoundaryLeft, shift: commands.selectLineBoundaryLeft },
  { mac: "Cmd-ArrowRight", run: commands.cursorLineBoundaryRight, shift: commands.selectLineBoundaryRight },
  { key: "ArrowUp", run: commands.cursorLineUp, shift: commands.selectLineUp },
  { key: "ArrowDown", run: commands.cursorLineDown, shift: commands.selectLineDown },
  { key: "PageUp", run: commands.cursorPageUp, shift: commands.selectPageUp },
  { key: "PageDown", run: commands.cursorPageDown, shift: commands.selectPageDown },
  { mac: "Ctrl-ArrowUp", run: commands.cursorPageUp, shift: commands.selectPageUp },
  { mac: "Ctrl-ArrowDown", run: commands.cursorPageDown, shift: commands.selectPageDown },
  { key: "Home", run: commands.cursorLineBoundaryBackward, shift: commands.selectLineBoundaryBackward },
  { key: "End", run: commands.cursorLineBoundaryForward, shift: commands.selectLineBoundaryForward },
  { key: "Mod-Home", mac: "Cmd-ArrowUp", run: commands.cursorDocStart, shift: commands.selectDocStart },
  { key: "Mod-End", mac: "Cmd-ArrowDown", run: commands.cursorDocEnd, shift: commands.selectDocEnd },
  { key: "Mod-a", run: commands.selectAll },
  { key: "Alt-l", mac: "Ctrl-l", run: commands.selectLine },
  { key: "Escape", run: commands.simplifySelection },
  { key: "Enter", run: newLine, shift: newLine },
  { key: "Backspace", run: deleteCharacter(false), shift: deleteCharacter(false) },
  { key: "Delete", run: deleteCharacter(true) },
  { key: "Mod-Backspace", mac: "Alt-Backspace", run: commands.deleteGroupBackward },
  { key: "Mod-Delete", mac: "Alt-Delete", run: commands.deleteGroupForward },
  { mac: "Cmd-Backspace", run: commands.deleteLineBoundaryBackward },
  { mac: "Cmd-Delete", run: commands.deleteLineBoundaryForward },
  { key: "Shift-Mod-k", run: commands.deleteLine },
  { key: "Alt-ArrowUp", run: commands.moveLineUp },
  { key: "Alt-ArrowDown", run: commands.moveLineDown },
  { key: "Shift-Alt-ArrowUp", run: commands.copyLineUp },
  { key: "Shift-Alt-ArrowDown", run: commands.copyLineDown },
];

/** The usual keys for moving, deleting, new lines, undo and redo. */
export const bindingsOfEditing: Extension = [
  commands.history(),
  keymap.of([...bindings.map((binding) => ({ ...binding, preventDefault: true })), ...commands.historyKeymap]),
];
