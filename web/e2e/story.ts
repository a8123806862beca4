// What the scripted agent does, said briefly.

export type Block = Record<string, unknown>;

export const says = (text: string): Block => ({ type: "text", text });
export const thinks = (thinking: string): Block => ({ type: "thinking", thinking });

/** A call of a tool that gives this. */
export const calls = (name: string, input: unknown, gives = "", more: Block = {}): Block => ({
  type: "tool_use",
  name,
  input,
  gives,
  ...more,
});

/** A turn of one message after the other. */
export const turn = (...messages: Block[][]): unknown[] => messages.map((blocks) => ({ message: { blocks } }));

let lines = 0;

/** A line that the agent writes, under an id that no other has. */
export function line(fields: Block): Block {
  lines += 1;
  const uuid = `5eba7181-9c80-44b2-baf0-${String(lines).padStart(12, "0")}`;
  return { line: JSON.stringify({ session_id: "s", parent_tool_use_id: null, uuid, ...fields }) };
}

/** A message of the model as it is when all of it is there: no stream, so that there can be very many. */
export const message = (id: string, content: Block[], more: Block = {}): Block =>
  line({
    type: "assistant",
    message: {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: "claude-opus-5-5",
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    ...more,
  });

/** A call that stands in the conversation and is not asked about … */
export const called = (id: string, name: string, input: unknown): Block =>
  message(id, [{ type: "tool_use", id, name, input }]);

/** … and what it gave. */
export const gave = (id: string, content: unknown, more: Block = {}): Block =>
  line({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ...more,
  });

/** What the CLI writes for a command that it does itself. */
export const local = (text: string, tag: "stdout" | "stderr" = "stdout"): Block =>
  line({
    type: "user",
    isReplay: true,
    message: { role: "user", content: `<local-command-${tag}>${text}</local-command-${tag}>` },
  });
