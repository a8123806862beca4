// The list: the feed and what the user has said, put together.

import { beforeEach, expect, test } from "vitest";
import type { Row, ServerFrame } from "../src/api/frames";
import type { Socket } from "../src/api/socket";
import { Sessions } from "../src/store/sessions";
import { arrange } from "../src/view/shell/arrange";
import { news, type Told, toldOf } from "../src/view/shell/news";

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
  archived: false,
  seenSeq: 10,
  ...more,
});

const feed = (rows: Row[], more: Partial<{ whole: boolean; gone: string[] }> = {}): ServerFrame => ({
  kind: "list",
  answer: { epoch: "e", revision: 1, whole: true, rows, gone: [], ...more },
});

let sessions: Sessions;

beforeEach(() => {
  sessions = new Sessions({ watch: () => () => {} } as unknown as Socket);
});

const groupOf = (id: string) => {
  const known = sessions.row(id);
  return known && sessions.group(known);
};

/** Says it, and the server never answers. */
const say = (...[id, own]: [string, Parameters<Sessions["say"]>[1]]) =>
  void sessions.say(id, own, new Promise(() => {}));

test("what was not read calls, until it is read here or on another screen", () => {
  sessions.hear(feed([row("a"), row("b", { seenSeq: 3 }), row("c", { seenSeq: 0 })]));
  expect([groupOf("a"), groupOf("b"), groupOf("c")]).toEqual(["rest", "unread", "unread"]);
  say("b", { seenSeq: 10 });
  expect(groupOf("b")).toBe("rest");
  say("a", { seenSeq: 0 });
  expect(groupOf("a")).toBe("unread");
  sessions.hear(feed([row("c", { seenSeq: 10 })], { whole: false }));
  expect(groupOf("c")).toBe("rest");
});

test("a session says what it waits for, and a turn that failed", () => {
  const plan = row("a", { asks: 1, asking: "plan", words: "Wants to run" });
  const failed = row("b", { failed: "API overloaded", seenSeq: 3 });
  sessions.hear(feed([plan, failed]));
  expect(sessions.askKind(plan)).toBe("plan");
  // An older server does not say so.
  expect(sessions.askKind(row("c", { asks: 1, words: "Wants to run ls" }))).toBe("permission");
  const ran = toldOf(row("b", { phase: "running" }), "B", "running", "question");
  expect(news(ran, toldOf(failed, "B", "unread", "question"))?.sentence).toBe("B failed");
});

test("what was said here holds until the server says it, and then the server's word holds", () => {
  sessions.hear(feed([row("a", { title: "Of the agent" })]));
  say("a", { title: "Mine" });
  sessions.hear(feed([row("a", { title: "Another of the agent" })], { whole: false }));
  expect(sessions.title("a")).toBe("Mine");
  sessions.hear(feed([row("a", { title: "Mine" })], { whole: false }));
  sessions.hear(feed([row("a", { title: "From another screen" })], { whole: false }));
  expect(sessions.title("a")).toBe("From another screen");
  say("a", { archived: true });
  expect(sessions.isArchived("a")).toBe(true);
});

test("what the server has taken holds until its next word, whatever that is", async () => {
  sessions.hear(feed([row("a", { lastTurnSeq: 20, seenSeq: 0 })]));
  await sessions.say("a", { seenSeq: 10 }, Promise.resolve());
  expect(groupOf("a")).toBe("unread");
  // Another screen has read on, and the server tells only the last of it.
  sessions.hear(feed([row("a", { lastTurnSeq: 20, seenSeq: 20 })], { whole: false }));
  expect(groupOf("a")).toBe("rest");
});

test("what the server does not take is taken back, and what was said since stays", async () => {
  sessions.hear(feed([row("a", { title: "Before" })]));
  const refused = sessions.say("a", { title: "Mine" }, Promise.reject(new Error("no")));
  say("a", { archived: true });
  await expect(refused).rejects.toThrow("no");
  expect([sessions.title("a"), sessions.isArchived("a")]).toEqual(["Before", true]);
  // Nothing of it is left to stand before what another screen says later.
  sessions.hear(feed([row("a", { title: "From another screen" })], { whole: false }));
  expect(sessions.title("a")).toBe("From another screen");
});

test("what is gone is not there any more", () => {
  sessions.hear(feed([row("old"), row("new")]));
  expect(sessions.list().map((one) => one.id)).toEqual(["old", "new"]);
  sessions.hear(feed([], { whole: false, gone: ["old"] }));
  expect(sessions.list().map((one) => one.id)).toEqual(["new"]);
});

test("groups stand in their order: who waits longest first, what ended last first", () => {
  sessions.hear(
    feed([
      row("w1", { asks: 1, since: 200 }),
      row("w2", { asks: 1, since: 100 }),
      row("u1", { since: 1, seenSeq: 0 }),
      row("u2", { since: 2, seenSeq: 0 }),
      row("r1"),
      row("r2"),
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

test("the archive is apart, but what waits for somebody is seen; words are found in title and folder", () => {
  const [a, b] = [row("a", { asks: 1, archived: true }), row("b", { archived: true })];
  sessions.hear(feed([a, b, row("c", { title: "Fix the Lexer" })]));
  const ids = (filter: string, archived: boolean) =>
    arrange(sessions, sessions.list(), { filter, archived }).flatMap(({ rows }) => rows.map((one) => one.id));
  expect(ids("", false)).toEqual(["a", "c"]);
  expect(ids("", true)).toEqual(["a", "b"]);
  expect(ids("lexer fix", false)).toEqual(["c"]);
  expect(ids("tern", false)).toEqual(["a", "c"]);
  expect(ids("nothing", false)).toEqual([]);
});

test("what is said aloud is said once", () => {
  const said = (before: Told | undefined, after: Told) => news(before, after)?.sentence;
  const idle = toldOf(row("a"), "Lexer", "rest", "question");
  const runs = { ...idle, group: "running" as const };
  const asks = {
    ...idle,
    group: "needsYou" as const,
    asks: 1,
    needsYou: "Edit span.rs",
    kind: "permission" as const,
  };
  expect(said(idle, runs)).toBe("Lexer started");
  expect(news(runs, runs)).toBeUndefined();
  expect(said(runs, asks)).toBe("Lexer needs permission: Edit span.rs");
  expect(news(asks, asks)).toBeUndefined();
  expect(said(asks, { ...asks, needsYou: "Which one?", kind: "question" })).toBe("Lexer has a question: Which one?");
  expect(said(asks, runs)).toBe("Lexer: answered");
  const done = { ...idle, group: "unread" as const, turns: idle.turns + 1 };
  expect(said(runs, { ...done, costUsd: 0.12 })).toBe("Lexer finished, $0.12");
  // An agent that was only started has finished nothing.
  expect(said(runs, idle)).toBeUndefined();
  expect(said(idle, done)).toBe("Lexer finished");
  expect(said(runs, { ...idle, failed: true })).toBe("Lexer failed");
  expect(news(undefined, idle)).toBeUndefined();
});
