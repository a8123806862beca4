// Another input than the agent wanted: JSON text in; the part that a person edits, and the object that is sent, out. Pure.

/** The one field of an input that can be edited alone. */
export type Part = { field: string; text: string };

function objectOf(json: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Of a command the command; of everything else all of it. */
export function editable(json: string, view: string): Part | undefined {
  const input = objectOf(json);
  if (!input) return undefined;
  if (view === "command" && typeof input.command === "string") return { field: "command", text: input.command };
  return { field: "", text: JSON.stringify(input, null, 2) };
}

/** The input with what was typed, or why it cannot be sent. */
export function changedInput(
  json: string,
  part: Part,
  typed: string,
): { input: Record<string, unknown> } | { fault: string } {
  const input = objectOf(json);
  if (!input) return { fault: "The input cannot be read" };
  if (part.field !== "") {
    return typed.trim() === "" ? { fault: "There is nothing to run" } : { input: { ...input, [part.field]: typed } };
  }
  const typedInput = objectOf(typed);
  return typedInput ? { input: typedInput } : { fault: "This is no JSON object" };
}
