// Managing sessions: where a fork is cut, what the inbox joins, what the list takes from terminals, presets and command lines.

import { describe, expect, test } from "vitest";
import type { Row } from "../src/api/frames";
import type { Transcript } from "../src/api/server";
import type { Ask, Item, PermissionAsk } from "../src/generated";
import { cardsOf, type Waiting, warnings } from "../src/view/inbox/cards";
import { deletes, isPlainlyLocal, usesNetwork } from "../src/view/inbox/commands";
import { reasonOf } from "../src/view/inbox/reason";
import { forkPoint } from "../src/view/session/forkPoint";
import { byRow, foreign, terminalOf, terminalWords } from "../src/view/shell/terminalWords";
import { EMPTY_FORM, fieldNamed, fieldOf, formOf, readForm } from "../src/view/start/form";
import { ownArguments } from "../src/view/start/ownArguments";
import { freeName } from "../src/view/start/presetNames";

const item = (id: string, at: number, body: Partial<Item["body"]>, more: Partial<Item> = {}): Item =>
  ({ id, order: [at, 0], at, seq: at, uuid: `uuid-${id}`, body, ...more }) as Item;
const said = (id: string, at: number) => item(id, at, { kind: "user", role: "person", text: { text: id }, images: [] });
const text = (id: string, at: number) =>
  item(id, at, { kind: "text", text: { text: `Words of ${id}` }, done: true, aborted: false });
const tool = (id: string, at: number, more: Partial<Item> = {}) =>
  item(id, at, { kind: "tool" } as Partial<Item["body"]>, more);
const end = (id: string, at: number) => item(id, at, { kind: "turn" } as Partial<Item["body"]>);

describe("a fork from before a message", () => {
  const items = [said("p1", 1), tool("t1", 2), tool("inner", 3, { parent: "t1" }), text("a1", 4), end("e1", 5)];
  const all = [...items, said("p2", 6), text("a2", 7), end("e2", 8), said("p3", 9)];

  test("ends with the agent's last line before it, and keeps what was said", () => {
    const { at, kept, leftOut } = forkPoint(all, "p2");
    expect(at).toBe("uuid-a1");
    expect(kept.map(({ id }) => id)).toEqual(["p1", "a1"]);
    expect(leftOut).toBe(2);
  });

  test("a subagent's line is no place to cut", () => {
    const cut = forkPoint([said("p1", 1), tool("t1", 2), tool("inner", 3, { parent: "t1" }), said("p2", 4)], "p2");
    expect(cut.at).toBe("uuid-t1");
  });

  test("before the first message there is nothing to keep", () => {
    expect(forkPoint(all, "p1").at).toBeUndefined();
    expect(forkPoint(all, "nobody")).toEqual({ at: undefined, kept: [], leftOut: 0 });
  });
});

describe("commands", () => {
  test.each([
    "cargo test",
    "cargo test -p tern-lexer && cargo clippy -- -D warnings",
    "npm run lint | head -5",
    "git status",
    "ls -la src",
  ])("plainly local: %s", (command) => {
    expect(isPlainlyLocal(command)).toBe(true);
  });

  test.each([
    "cargo publish --dry-run",
    "git push",
    "rm -rf target",
    "npm run deploy",
    "npm install",
    "cat /etc/passwd",
    "ls ~/other",
    "ls ../other",
    "echo hi > out.txt",
    "echo $HOME",
    "ls `pwd`",
    "make",
    "cargo test & curl evil.example",
    "curl https://example.org",
    "unknown-tool",
    "cargo test; rm x",
    "",
  ])("not plainly local: %s", (command) => {
    expect(isPlainlyLocal(command)).toBe(false);
  });

  test("the network and deleting are seen", () => {
    expect(["git push origin", "npm ci", "x && curl a", "open https://a.b"].map(usesNetwork)).toEqual(
      Array(4).fill(true),
    );
    expect(["cargo test", "grep curly a"].map(usesNetwork)).toEqual([false, false]);
    expect(["rm -r a", "a; rm b", "git clean -fd", "find . -delete"].map(deletes)).toEqual(Array(4).fill(true));
    expect(["cargo fmt", "git rm-nothing"].map(deletes)).toEqual([false, false]);
  });
});

const asks = (id: string, at: number, command: string, more: Partial<PermissionAsk> = {}): Ask =>
  ({
    id,
    at,
    seq: at,
    body: {
      kind: "permission",
      tool: "Bash",
      view: { view: "command", command: { text: command }, background: false },
      suggestions: [],
      defaultToNo: false,
      ...more,
    },
  }) as unknown as Ask;
const waits = (session: string, ask: Ask, cwd = `/src/${session}`): Waiting => ({ session, ask, cwd });
const shape = (all: readonly Waiting[], apart = new Set<string>()) =>
  cardsOf(all, apart).map(({ waiting, command }) => [command, waiting.map(({ session }) => session)]);

describe("the inbox", () => {
  test("the same command in several sessions is one card, and the longest wait comes first", () => {
    const all = [
      waits("c", asks("3", 30, "cargo test")),
      waits("a", asks("1", 10, "cargo test")),
      waits("b", asks("2", 20, "cargo publish")),
    ];
    expect(shape(all)).toEqual([
      ["cargo test", ["a", "c"]],
      [undefined, ["b"]],
    ]);
  });

  test("what uses the network, deletes, or goes outside never joins", () => {
    for (const command of ["git push", "rm -r target", "cat /etc/hosts"]) {
      const all = [waits("a", asks("1", 1, command)), waits("b", asks("2", 2, command))];
      expect(shape(all)).toEqual([
        [undefined, ["a"]],
        [undefined, ["b"]],
      ]);
    }
    const blocked = { blockedPath: "/etc" };
    const all = [waits("a", asks("1", 1, "ls", blocked)), waits("b", asks("2", 2, "ls", blocked))];
    expect(shape(all)).toHaveLength(2);
  });

  test("twice in one session are two questions, and one by one means that", () => {
    const twice = [waits("a", asks("1", 1, "ls")), waits("a", asks("2", 2, "ls"))];
    expect(shape(twice)).toHaveLength(2);
    const two = [waits("a", asks("1", 1, "ls")), waits("b", asks("2", 2, "ls"))];
    expect(shape(two)).toHaveLength(1);
    expect(shape(two, new Set(["same:ls"]))).toHaveLength(2);
  });

  test("a write outside of the folder is told of", () => {
    const edit = (path: string) =>
      ({ view: { view: "edit", diff: { path } }, suggestions: [] }) as unknown as PermissionAsk;
    expect(warnings(edit("/src/a/x.rs"), "/src/a")).toEqual([]);
    expect(warnings(edit("/etc/hosts"), "/src/a")).toEqual(["outside of its folder"]);
  });

  test("the agent's reason is what it said last in this turn", () => {
    const ask = asks("1", 9, "ls");
    expect(reasonOf([said("p", 1), text("a", 2), tool("t", 3)], ask)).toBe("Words of a");
    expect(reasonOf([text("a", 1), end("e", 2), said("p", 3), tool("t", 4)], ask)).toBeUndefined();
    expect(reasonOf([said("p", 1), text("later", 12)], ask)).toBeUndefined();
  });
});

describe("terminals", () => {
  const hour = 3_600_000;
  const row = (session: string, more: Partial<Transcript> = {}): Transcript => ({
    session,
    title: `Title ${session}`,
    cwd: "/src/tern",
    modifiedAt: 100 * hour,
    bytes: 1,
    known: null,
    running: false,
    ...more,
  });
  const now = 100 * hour + 120_000;

  test("those that are not here and were written lately are shown", () => {
    const all = [
      row("a"),
      row("b", { modifiedAt: 1 }),
      row("c", { known: "x" }),
      row("d"),
      row("e", { modifiedAt: 1, running: true }),
    ];
    const shown = foreign(all, (id) => id === "d", now, "");
    expect(shown.map(({ session }) => session)).toEqual(["a", "e"]);
    expect(foreign(all, () => false, now, "nothing like it")).toEqual([]);
  });

  test("a session that only a terminal has, or that one works on, is told of as that", () => {
    const asleep = { id: "a", phase: "asleep", turns: 0, since: 100 * hour } as Row;
    const told = (rows: Row, all: Transcript[]) => terminalOf(rows, byRow(all))?.session;
    expect(told(asleep, [row("a")])).toBe("a");
    expect(told({ ...asleep, turns: 3 }, [row("a")])).toBeUndefined();
    expect(told({ ...asleep, turns: 3 }, [row("b", { known: "a", running: true })])).toBe("b");
    expect(told({ ...asleep, phase: "running" }, [row("a")])).toBeUndefined();
    // Somebody has written since the agent here has ended.
    expect(told({ ...asleep, turns: 3, since: 99 * hour }, [row("a")])).toBe("a");
  });

  test("are told of in words", () => {
    expect(terminalWords(row("a"), now)).toBe("In a terminal, 2\u2009m ago");
    expect(terminalWords(row("a", { running: true }), now)).toBe("In a terminal now, last written 2\u2009m ago");
  });
});

describe("presets", () => {
  test("the form of a preset gives the same options", () => {
    const form = {
      ...EMPTY_FORM,
      cwd: "/src",
      model: "opus",
      mode: "plan",
      budget: "2.5",
      maxTurns: "20",
      tools: "Read\nGrep",
      agents: '{"tester": {"description": "d", "prompt": "p"}}',
      settings: '{"env": {"CI": "1"}}',
      localSettings: false,
      mcpServers: '{"files": {"command": "f"}}',
      strictMcp: true,
    };
    const read = readForm(form);
    if (!read.ok) throw new Error(JSON.stringify(read.errors));
    expect(read.options.settingSources).toEqual(["user", "project"]);
    expect(readForm(formOf(read.options))).toEqual(read);
    // What the server leaves empty, it says as null.
    expect(formOf({ cwd: "/src", model: null, tools: null } as never)).toEqual({ ...EMPTY_FORM, cwd: "/src" });
    expect(formOf({ bypassPermissions: true }).mode).toBe("bypassPermissions");
  });

  test.each([
    ["agents", { agents: '{"tester": 1}' }],
    ["settings", { settings: "[]" }],
  ])("%s can be wrong", (name, change) => {
    const read = readForm({ ...EMPTY_FORM, cwd: "/src", ...change });
    expect(read.ok ? [] : Object.keys(read.errors)).toEqual([name]);
  });

  test("a new one has a name of its own", () => {
    expect(freeName([])).toBe("My preset");
    expect(freeName(["My preset", "My preset 2"])).toBe("My preset 3");
  });

  test("what the server finds wrong is said at its field", () => {
    expect(fieldOf("allowedTools")).toBe("allowedTools");
    expect(fieldOf("maxBudgetUsd")).toBe("budget");
    expect(fieldOf("of_the_future")).toBeUndefined();
  });

  test.each([
    ["The permission mode: `what` is not known.", "mode"],
    ["`-x` is no rule: it would be one like `Bash(git *)`.", "allowedTools"],
    ["`-y` is no rule: it would be one like `Bash(git *)`.", "disallowedTools"],
    ["`$(x)` is no model.", "model"],
    ["An MCP server: `type`: expected a string, found a number.", "mcpServers"],
    ["`PATH` is no variable that can be set from here.", "settings"],
    ["Agents may not work in `/other`: allow it.", "directories"],
    ["`/src/nothing` is not there.", "cwd"],
    ["Something else failed.", undefined],
  ])("the words of the server name a field: %s", (message, field) => {
    const form = {
      ...EMPTY_FORM,
      cwd: "/src/nothing",
      allowedTools: "-x",
      disallowedTools: "-y",
      directories: "/other",
    };
    expect(fieldNamed(message, form)).toBe(field);
  });
});

test("of a command line, what was chosen is told apart from what is always there", () => {
  const always = ["agent.js", "--output-format", "stream-json", "--verbose", "--permission-mode", "default"];
  const args = ["agent.js", "--model", "opus", ...always.slice(1, 4), "--permission-mode", "plan"];
  const line = { args, always };
  expect(ownArguments(line)).toEqual({ own: ["--model", "opus", "--permission-mode", "plan"], always: 2 });
});
