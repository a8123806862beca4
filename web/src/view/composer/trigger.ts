// `@` and `/`: text and caret in, what is being looked for out; a choice in, the text with it and where the caret goes out. Pure.

export type Trigger = {
  kind: "file" | "command";
  /** The part of the text that a choice takes the place of, mark included. */
  from: number;
  to: number;
  /** What was typed after the mark. */
  query: string;
};

/** What the caret stands in, if it is something to be looked up. */
export function findTrigger(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command) return { kind: "command", from: 0, to: wordEnd(text, caret), query: command[1] ?? "" };
  const quoted = /(?:^|[\s([{])@"([^"\n]*)$/.exec(before);
  if (quoted) {
    const query = quoted[1] ?? "";
    const end = /^[^"\n]*"/.exec(text.slice(caret));
    return { kind: "file", from: caret - query.length - 2, to: caret + (end?.[0].length ?? 0), query };
  }
  const file = /(?:^|[\s([{"'`])@([^\s"]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? "";
  return { kind: "file", from: caret - query.length - 1, to: wordEnd(text, caret), query };
}

function wordEnd(text: string, from: number): number {
  const rest = /\s/.exec(text.slice(from));
  return rest ? from + rest.index : text.length;
}

/** Could this path be among the answers to what is looked for? Its letters come in that order, in any case. */
export function mayFit(path: string, query: string): boolean {
  const letters = path.toLowerCase();
  let from = 0;
  for (const letter of query.toLowerCase()) {
    const at = letters.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}

export type Inserted = { text: string; caret: number };

function replaced(text: string, { from, to }: Trigger, words: string): Inserted {
  const after = text.slice(to);
  // One space is enough.
  const rest = words.endsWith(" ") && after.startsWith(" ") ? after.slice(1) : after;
  return { text: text.slice(0, from) + words + rest, caret: from + words.length };
}

/** A file, as the agent reads it. After a folder one can go on choosing. */
export function insertFile(text: string, trigger: Trigger, path: string): Inserted {
  const isFolder = path.endsWith("/");
  if (!/\s/.test(path)) return replaced(text, trigger, `@${path}${isFolder ? "" : " "}`);
  const made = replaced(text, trigger, `@"${path}" `);
  return isFolder ? { ...made, caret: made.caret - 2 } : made;
}

export function insertCommand(text: string, trigger: Trigger, name: string): Inserted {
  return replaced(text, trigger, `/${name} `);
}

/** The command that a text calls. */
export function commandOf(text: string): string | undefined {
  return /^\/([^\s/]+)(?:\s|$)/.exec(text)?.[1];
}
