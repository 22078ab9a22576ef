// Deletes notes. This can't be undone, so a person is asked first.

import { ToolError, tool } from "toolwire/toolkit";

export function notesTool(notes) {
  return tool({
    name: "delete_note",
    description: "Deletes a note for good.",
    category: "notes",
    dangerous: true,
    parameters: [{ name: "title", type: "string", description: "The title of the note" }],
    execute({ title }) {
      if (!notes.delete(title)) throw new ToolError(`There is no note ${title}.`, { type: "not_found" });
      return `Deleted ${title}.`;
    },
  });
}
