// The list: the feed and what the user has said, put together.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Row, ServerFrame } from "../src/api/frames";
import type { Summary } from "../src/api/server";
import type { Socket } from "../src/api/socket";
import { Sessions } from "../src/store/sessions";
import { arrange } from "../src/view/shell/arrange";
import { news, toldOf } from "../src/view/shell/news";

const row = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  title: `Title ${id}`,
  cwd: "/src/tern",
  phase: "idle",
  words: "Done",
  since: 0,
  asks: 0,
  unconfirmed: 0,
  costUsd: 0,
  turns: 1,
  lastTurnSeq: 10,
  ...more,
});

const summary = (id: string, more: Partial<Summary> = {}): Summary => ({
  ...row(id),
  archived: false,
  seenSeq: 10,
  ...more,
});

const feed = (rows: Row[], more: Partial<{ whole: boolean; gone: string[] }> = {}): ServerFrame => ({
  kind: "list",
  answer: { epoch: "e", revision: 1, whole: true, rows, gone: [], ...more },
});

let kept: Map<string, Summary>;
let asked: string[];
let sessions: Sessions;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  kept = new Map();
  asked = [];
  const socket = { watch: () => () => {}, subscribe: () => () => {}, connection: () => ({ kind: "live" }) };
  sessions = new Sessions(socket as unknown as Socket, {
    page: async ({ archived }) => ({ sessions: [...kept.values()].filter((one) => one.archived === archived) }),
    one: async (id) => {
      asked.push(id);
      const one = kept.get(id);
      if (!one) throw new Error("none");
      return one;
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

const keep = (...all: Summary[]) => {
  for (const one of all) kept.set(one.id, one);
};

async function started(): Promise<void> {
  sessions.start();
  await vi.advanceTimersByTimeAsync(0);
}

const groupOf = (id: string) => {
  const known = sessions.row(id);
  return known && sessions.group(known);
};

test("what was not read calls, but only when it is known what was read", async () => {
  keep(summary("a", { seenSeq: 10 }), summary("b", { seenSeq: 3 }));
  sessions.hear(feed([row("a"), row("b")]));
  expect([groupOf("a"), groupOf("b")]).toEqual(["rest", "rest"]);
  await started();
  expect([groupOf("a"), groupOf("b")]).toEqual(["rest", "unread"]);
  sessions.markSeen("b", 10);
  expect(groupOf("b")).toBe("rest");
  sessions.markUnread("a");
  expect(groupOf("a")).toBe("unread");
});

test("the user's own title wins over that of the feed, also when the agent finds another one", async () => {
  keep(summary("a", { title: "Mine" }));
  sessions.hear(feed([row("a", { title: "Of the agent" })]));
  await started();
  expect(sessions.title("a")).toBe("Mine");
  sessions.hear(feed([row("a", { title: "Another of the agent" })], { whole: false }));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(["a"]);
  expect(sessions.title("a")).toBe("Mine");
});

test("without an own title the agent's new one is shown", async () => {
  keep(summary("a", { title: "First" }));
  sessions.hear(feed([row("a", { title: "First" })]));
  await started();
  keep(summary("a", { title: "Second" }));
  sessions.hear(feed([row("a", { title: "Second" })], { whole: false }));
  await vi.advanceTimersByTimeAsync(1000);
  expect(sessions.title("a")).toBe("Second");
});

test("a session that comes later is asked for", async () => {
  await started();
  keep(summary("n", { seenSeq: 0 }));
  sessions.hear(feed([row("n")], { whole: false }));
  await vi.advanceTimersByTimeAsync(1000);
  expect(groupOf("n")).toBe("unread");
});

test("what this page has just marked is not taken back by an older answer", async () => {
  keep(summary("a", { seenSeq: 0 }));
  await started();
  sessions.markSeen("a", 10);
  await sessions.refresh();
  expect(groupOf("a")).toBe("rest");
  // Later on another screen may have said otherwise.
  await vi.advanceTimersByTimeAsync(20_000);
  await sessions.refresh();
  expect(groupOf("a")).toBe("unread");
});

test("what the feed does not have yet is there, and what is gone is not", async () => {
  keep(summary("old"));
  await started();
  expect(sessions.list().map((one) => one.id)).toEqual(["old"]);
  sessions.hear(feed([row("old"), row("new")]));
  expect(sessions.list().map((one) => one.id)).toEqual(["old", "new"]);
  sessions.hear(feed([], { whole: false, gone: ["old"] }));
  expect(sessions.list().map((one) => one.id)).toEqual(["new"]);
});

test("groups stand in their order: who waits longest first, what ended last first", async () => {
  keep(summary("r1"), summary("r2"), summary("u1", { seenSeq: 0 }), summary("u2", { seenSeq: 0 }));
  await started();
  sessions.hear(
    feed([
      row("w1", { asks: 1, since: 200 }),
      row("w2", { asks: 1, since: 100 }),
      row("u1", { since: 1 }),
      row("u2", { since: 2 }),
      row("r1"),
      row("g", { phase: "running" }),
    ]),
  );
  const shown = arrange(sessions, sessions.list(), { filter: "", archived: false });
  expect(shown.map(({ group, rows }) => [group, rows.map((one) => one.id)])).toEqual([
    ["needsYou", ["w2", "w1"]],
    ["running", ["g"]],
    ["unread", ["u2", "u1"]],
    ["rest", ["r1", "r2"]],
  ]);
});

test("the archive is apart, but what waits for somebody is seen; words are found in title and folder", async () => {
  keep(summary("a", { archived: true }), summary("b", { archived: true }), summary("c", { title: "Fix the Lexer" }));
  await started();
  sessions.hear(feed([row("a", { asks: 1 }), row("b"), row("c")]));
  const ids = (filter: string, archived: boolean) =>
    arrange(sessions, sessions.list(), { filter, archived }).flatMap(({ rows }) => rows.map((one) => one.id));
  expect(ids("", false)).toEqual(["a", "c"]);
  expect(ids("", true)).toEqual(["a", "b"]);
  expect(ids("lexer fix", false)).toEqual(["c"]);
  expect(ids("tern", false)).toEqual(["a", "c"]);
  expect(ids("nothing", false)).toEqual([]);
});

test("what is said aloud is said once", () => {
  const idle = toldOf(row("a"), "Lexer", "rest", "question");
  const runs = { ...idle, group: "running" as const };
  const asks = {
    ...idle,
    group: "needsYou" as const,
    asks: 1,
    needsYou: "Edit span.rs",
    kind: "permission" as const,
  };
  expect(news(idle, runs)).toBe("Lexer started");
  expect(news(runs, runs)).toBeUndefined();
  expect(news(runs, asks)).toBe("Lexer needs permission: Edit span.rs");
  expect(news(asks, asks)).toBeUndefined();
  expect(news(asks, { ...asks, needsYou: "Which one?", kind: "question" })).toBe("Lexer has a question: Which one?");
  expect(news(asks, runs)).toBe("Lexer: answered");
  expect(news(runs, { ...idle, group: "unread", costUsd: 0.12 })).toBe("Lexer finished, $0.12");
  expect(news(runs, { ...idle, failed: true })).toBe("Lexer failed");
  expect(news(undefined, idle)).toBeUndefined();
});
