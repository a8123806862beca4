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
