// The records of a log as they are listed: lines of JSON in; number, time, way, kind and a few words of each out. Pure.

export type Way = "stdin" | "stdout" | "stderr" | "host" | "transcript";

export type Entry = {
  seq: number;
  at: number;
  source: Way;
  /** `assistant`, `system init`, `control_request can_use_tool`, … */
  kind: string;
  words: string;
  /** The record as it is in the log. */
  line: string;
};

/** What a streamed answer is made of; there are many, and all of them come again as a whole. */
export const PIECES = "stream_event";

/** So many letters of a record are worth a look in a list. */
const WORDS = 160;

export function readRecords(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    const entry = line === "" ? undefined : readRecord(line);
    return entry ? [entry] : [];
  });
}

type Fields = Record<string, unknown>;

function readRecord(line: string): Entry | undefined {
  let record: Fields;
  try {
    record = JSON.parse(line) as Fields;
  } catch {
    return undefined;
  }
  const { seq, at, source } = record;
  if (typeof seq !== "number" || typeof at !== "number" || typeof source !== "string") return undefined;
  const inner = fields(record.line);
  const text = typeof record.text === "string" ? record.text : "";
  return {
    seq,
    at,
    source: source as Way,
    kind: inner ? kindOf(inner) : source === "stderr" ? "stderr" : "text",
    words: short(inner ? wordsOf(inner) : text),
    line,
  };
}

function fields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function kindOf(line: Fields): string {
  const word = (value: unknown) => (typeof value === "string" ? value : "");
  const type = word(line.fact) || word(line.type) || "message";
  if (type === PIECES) return PIECES;
  const inner = fields(line.request) ?? fields(line.response);
  const subtype = word(line.subtype) || word(inner?.subtype);
  return subtype === "" ? type : `${type} ${subtype}`;
}

function wordsOf(line: Fields): string {
  const message = fields(line.message);
  if (message) return contentWords(message.content);
  if (line.type === PIECES) return pieceWords(fields(line.event));
  if (typeof line.result === "string" && line.result !== "") return line.result;
  const inner = fields(line.request) ?? fields(line.response) ?? line;
  const { type: _type, subtype: _subtype, fact: _fact, uuid: _uuid, session_id: _session, ...rest } = inner;
  return JSON.stringify(rest).slice(0, 4 * WORDS);
}

function pieceWords(event: Fields | undefined): string {
  const delta = fields(event?.delta);
  const text = delta?.text ?? delta?.thinking ?? delta?.partial_json;
  return typeof text === "string" ? text : String(event?.type ?? "");
}

function contentWords(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: unknown) => {
      const part = fields(block);
      switch (part?.type) {
        case "text":
          return String(part.text);
        case "thinking":
          return String(part.thinking);
        case "tool_use":
          return `${String(part.name)} ${JSON.stringify(part.input)?.slice(0, WORDS)}`;
        case "tool_result":
          return contentWords(part.content);
        default:
          return String(part?.type ?? "");
      }
    })
    .join(" ");
}

function short(text: string): string {
  const line = text
    .slice(0, 4 * WORDS)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > WORDS ? `${line.slice(0, WORDS)}…` : line;
}

export type Filter = {
  /** A kind, `""` for all, `"whole"` for all but streamed pieces. */
  kind: string;
  text: string;
};

export function isWanted(entry: Entry, { kind, text }: Filter): boolean {
  if (kind === "whole" ? entry.kind === PIECES : kind !== "" && entry.kind !== kind) return false;
  return text === "" || entry.line.toLowerCase().includes(text.toLowerCase());
}

/** The kinds that there are, by name. */
export function kindsOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.map(({ kind }) => kind))].sort();
}
