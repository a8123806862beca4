// What the inspector makes of the state and of what the agent answers.

import { describe, expect, test } from "vitest";
import type { AgentItem, Item, ItemBody, Job, Meters, TodoTask, ToolItem, TurnItem } from "../src/generated";
import { detailsOf, partsOf } from "../src/view/inspector/context/parts";
import { modelRows, total, turnRows, turnSums } from "../src/view/inspector/cost/sums";
import { changedFiles } from "../src/view/inspector/files/changes";
import { readKept } from "../src/view/inspector/kept";
import { seenServers, statusOf } from "../src/view/inspector/mcp/servers";
import { isWanted, kindsOf, readRecords } from "../src/view/inspector/raw/records";
import { grants, ruleGroups, ruleNote, sourceWords } from "../src/view/inspector/rules/rules";
import { agentTree, countAgents, runsAnywhere } from "../src/view/inspector/tasks/agents";
import { agentCalls, commandOf, listedJobs } from "../src/view/inspector/tasks/jobs";
import {
  begunAt,
  byState,
  listed,
  seenTasks,
  segments,
  taskNotes,
  taskWords,
  updatedAt,
} from "../src/view/inspector/tasks/tasks";
import { placeHref, readPlace } from "../src/view/route";

const item = (id: string, body: ItemBody, more: Partial<Item> = {}): Item => ({
  id,
  order: [Number(id.replace(/\D/g, "")) || 0, 0],
  at: 1000,
  seq: 1,
  body,
  ...more,
});

const task = (id: string, status: string, more: Partial<TodoTask> = {}): TodoTask => ({
  id,
  subject: `Do ${id}`,
  status,
  blocks: [],
  blockedBy: [],
  ...more,
});

describe("tasks", () => {
  const tasks = seenTasks([
    task("1", "completed"),
    task("2", "in_progress", { activeForm: "Doing 2", owner: "an agent" }),
    task("3", "pending", { blockedBy: ["1", "2", "4"] }),
    task("4", "pending"),
    task("5", "pending", { blockedBy: ["1"] }),
  ]);

  test("a task waits only for what is not done", () => {
    expect(tasks.map(({ state }) => state)).toEqual(["done", "active", "blocked", "open", "open"]);
    expect(tasks.map(taskNotes)).toEqual([[], ["by an agent", "blocks 3"], ["Waits for 2 and 4"], ["blocks 3"], []]);
  });

  test("what is being done says so", () => {
    expect(tasks.map(taskWords)).toEqual(["Do 1", "Doing 2", "Do 3", "Do 4", "Do 5"]);
  });

  test("they are grouped by how far they are, and no group is empty", () => {
    expect(byState(tasks).map((group) => [group.state, group.tasks.map((seen) => seen.task.id)])).toEqual([
      ["active", ["2"]],
      ["open", ["4", "5"]],
      ["blocked", ["3"]],
      ["done", ["1"]],
    ]);
  });

  test("the bar has a part for each, and few parts for many", () => {
    expect(segments(tasks).map(({ kind }) => kind)).toEqual(["d", "r", "p", "p", "p"]);
    const many = seenTasks(Array.from({ length: 60 }, (_, at) => task(String(at), at < 15 ? "completed" : "pending")));
    expect(segments(many).map(({ kind, x }) => [kind, Math.round(x)])).toEqual([
      ["d", 0],
      ["p", 25],
    ]);
    for (const bar of [segments(tasks), segments(many)]) {
      const last = bar.at(-1);
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo(100);
    }
  });

  test("a state that we do not know is told as it is", () => {
    expect(seenTasks([task("1", "on hold")]).map(taskNotes)).toEqual([["on hold"]]);
  });

  test("what is being done began with the call that said so", () => {
    const todo = (at: number, ...todos: TodoTask[]) =>
      item(String(at), edit("", "completed", 0, { view: { view: "todo", todos } }), { at });
    expect(updatedAt([todo(7), item("8", agent("completed"), { at: 8 })])).toBe(7);
    expect(updatedAt([])).toBeUndefined();
    const begun = begunAt([
      todo(1, task("1", "in_progress"), task("2", "pending")),
      todo(2, task("1", "in_progress"), task("2", "in_progress")),
      todo(3, task("1", "completed"), task("2", "in_progress")),
      todo(4, task("3", "in_progress")),
      todo(5, task("3", "pending")),
      todo(6, task("3", "in_progress", { subject: "Another" })),
    ]);
    expect([...begun]).toEqual([
      ["2 Do 2", 2],
      ["3 Another", 6],
    ]);
  });

  test("names are listed as people do it", () => {
    expect([["4"], ["4", "5"], ["4", "5", "6"]].map(listed)).toEqual(["4", "4 and 5", "4, 5 and 6"]);
  });
});

const agent = (status: AgentItem["status"]): ItemBody => ({
  kind: "agent",
  name: "Task",
  description: "Look",
  input: { text: "{}" },
  prompt: { text: "" },
  status,
  background: false,
});

test("subagents stand under those that began them, and jobs that are subagents only there", () => {
  const items = [
    item("a1", agent("completed")),
    item("a2", agent("running"), { parent: "a1" }),
    item("a3", agent("completed"), { parent: "not held" }),
  ];
  const tree = agentTree(items);
  expect(tree.map((node) => [node.item.id, node.inner.map((inner) => inner.item.id), runsAnywhere(node)])).toEqual([
    ["a1", ["a2"], true],
    ["a3", [], false],
  ]);
  expect(countAgents(tree)).toBe(3);
  const job = (id: string, status: string, call?: string): Job => ({
    id,
    description: id,
    status,
    background: true,
    startedAt: 0,
    ...(call === undefined ? {} : { call }),
  });
  const jobs = [
    job("old", "completed"),
    job("agent", "running", "a2"),
    job("new", "failed"),
    job("now", "running", "b1"),
  ];
  expect(listedJobs(jobs, agentCalls(items)).map(({ id }) => id)).toEqual(["now", "new", "old"]);
  // What a job does is said in words, and by the command that it runs.
  const view = { view: "command", command: { text: "sleep 600" }, output: { text: "" } };
  const call = item("i7", { kind: "tool", view } as unknown as ItemBody);
  const one = job("one", "running");
  expect(commandOf(one, call)).toBe("sleep 600");
  expect(commandOf({ ...one, description: "sleep 600" }, call)).toBeUndefined();
  expect(commandOf(one, undefined)).toBeUndefined();
});

describe("context", () => {
  const context = {
    categories: [
      { name: "Free space", tokens: 50 },
      { name: "Messages", tokens: 30 },
    ],
    compactions: [],
    compacted: 0,
  };

  test("what is used stands first, the largest on top", () => {
    const categories = [
      { name: "Free space", tokens: 100, kind: "free" },
      { name: "System tools (deferred)", tokens: 9000, kind: "deferred" },
      { name: "Skills", tokens: 5, kind: "used" },
      { name: "Autocompact buffer", tokens: 33 },
      { name: "Messages", tokens: 70, kind: "used" },
    ];
    expect(partsOf({ categories }, context).map(({ name, kind }) => [name, kind])).toEqual([
      ["Messages", "used"],
      ["Skills", "used"],
      ["Autocompact buffer", "kept"],
      ["Free space", "free"],
      ["System tools", "outside"],
    ]);
  });

  test("without an answer, what is known from an earlier one is shown", () => {
    expect(partsOf(undefined, context).map(({ name, kind }) => [name, kind])).toEqual([
      ["Messages", "used"],
      ["Free space", "free"],
    ]);
  });

  test("lists have their largest entry first; empty ones are left out", () => {
    const lists = detailsOf({
      memoryFiles: [],
      mcpTools: [
        { name: "mcp__lab__add", serverName: "lab", tokens: 3 },
        { name: "mcp__lab__ask", serverName: "lab", tokens: 9, isLoaded: false },
      ],
      messageBreakdown: { toolResultTokens: 12, userMessageTokens: 0 },
    });
    expect(lists).toEqual([
      {
        title: "MCP tools",
        details: [
          { name: "ask", hint: "lab, not loaded", tokens: 9 },
          { name: "add", hint: "lab", tokens: 3 },
        ],
      },
      { title: "Messages", details: [{ name: "Results of tools", tokens: 12 }] },
    ]);
  });
});

const meters = (more: Partial<Meters>): Meters => ({
  costUsd: 0,
  inheritedUsd: 0,
  models: {},
  tokens: { inputTokens: 0, outputTokens: 0 },
  turns: 0,
  durationMs: 0,
  context: { categories: [], compactions: [], compacted: 0 },
  limits: {},
  ...more,
});

const turn = (costUsd: number, more: Partial<TurnItem> = {}): ItemBody => ({
  kind: "turn",
  outcome: "completed",
  prompts: [],
  costUsd,
  models: {},
  toolCalls: 0,
  files: [],
  denials: [],
  ...more,
});

const said = (text: string): ItemBody => ({ kind: "user", text: { text }, images: [], role: "person" });

describe("cost", () => {
  test("the rows of the models add up to the cost", () => {
    const told = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3 };
    const rows = modelRows(
      meters({ costUsd: 1, models: { small: { ...told, costUsd: 0.1 }, big: { ...told, costUsd: 0.8 } } }),
    );
    expect(rows.map(({ model }) => model)).toEqual(["big", "small", undefined]);
    expect(total(rows).costUsd).toBeCloseTo(1, 10);
    expect(total(rows).cacheReadTokens).toBe(6);
    expect(modelRows(meters({ costUsd: 0.9, models: { big: { ...told, costUsd: 0.9 } } }))).toHaveLength(1);
  });

  const items = [
    item("1", said("First"), { uuid: "p1" }),
    item("2", turn(0.5, { prompts: ["p1"] })),
    item("3", said("Second\nand more"), { uuid: "p2" }),
    item("4", turn(0, { outcome: "command" })),
    item("5", turn(0.25, { prompts: ["p2"] })),
  ];

  test("turns say what began them, and commands are none", () => {
    expect(turnRows(items).map(({ words, turn: { costUsd } }) => [words, costUsd])).toEqual([
      ["Second", 0.25],
      ["First", 0.5],
    ]);
  });

  test("turns that are not held are one row, so that all rows add up", () => {
    const sums = turnSums(turnRows(items), meters({ costUsd: 1.75, turns: 4 }));
    expect(sums.own).toHaveLength(2);
    expect(sums.earlier).toEqual({ turns: 2, costUsd: 1 });
  });

  test("turns before the session took over are not its own", () => {
    const sums = turnSums(turnRows(items), meters({ costUsd: 0.25, turns: 1, inheritedUsd: 0.5 }));
    expect([sums.own, sums.inherited].map((rows) => rows.map(({ words }) => words))).toEqual([["Second"], ["First"]]);
    expect(sums.earlier).toBeUndefined();
  });
});

const edit = (path: string, status: ToolItem["status"], added: number, more: Partial<ToolItem> = {}): ItemBody => ({
  kind: "tool",
  name: "Edit",
  toolKind: "edit",
  title: "",
  status,
  input: { text: "{}" },
  view: {
    view: "edit",
    diff: {
      path,
      hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: added, lines: ["+x"] }],
      added,
      removed: 1,
      created: path.endsWith("new"),
      userModified: false,
      proposed: false,
    },
  },
  images: [],
  locations: [],
  ...more,
});

test("files have all their changes in order, the last one changed first; what was not done is no change", () => {
  const files = changedFiles([
    item("1", edit("/a", "completed", 2)),
    item("2", edit("/new", "completed", 5)),
    item("3", edit("/a", "completed", 3)),
    item("4", edit("/b", "denied", 9)),
    item("5", edit("/c", "waiting", 9)),
  ]);
  expect(
    files.map(({ path, added, removed, created, changes }) => [
      path,
      added,
      removed,
      created,
      changes.map((c) => c.item.id),
    ]),
  ).toEqual([
    ["/a", 5, 2, false, ["1", "3"]],
    ["/new", 5, 1, true, ["2"]],
  ]);
});

test("MCP servers are known from the state and told more of by the agent", () => {
  const servers = seenServers(
    [{ name: "lab", status: "disabled", tools: [] }],
    [
      {
        name: "lab",
        status: "connected",
        transport: "stdio",
        scope: "project",
        config: { command: "node", args: ["server.js"] },
        tools: [{ name: "add", description: "Adds" }],
      },
      { name: "new", status: "needs-auth", config: { url: "https://example.org" } },
    ],
  );
  expect(servers.map(({ name, status, behind }) => [name, status, behind])).toEqual([
    // What was switched off is off, whatever an older answer says.
    ["lab", "disabled", "node server.js"],
    ["new", "needs-auth", "https://example.org"],
  ]);
  expect(servers[0]?.tools).toEqual([{ name: "add", description: "Adds" }]);
  const old = seenServers(
    [{ name: "my lab", status: "connected", tools: [] }],
    [],
    ["Bash", "mcp__my_lab__add", "mcp__my__x"],
  );
  expect(old[0]?.tools).toEqual([{ name: "add" }]);
  expect(
    ["connected", "failed", "needs-auth", "pending", "disabled", "odd"].map((status) => statusOf(status).words),
  ).toEqual(["Connected", "Failed", "Wants you to log in", "Connecting", "Switched off", "odd"]);
});

test("rules that deny come first; what was granted here is found with who and when", () => {
  const rule = (behavior: string, words: string) => ({ behavior, rule: words, source: "session" });
  const groups = ruleGroups([
    rule("allow", "Read"),
    rule("odd", "X"),
    rule("deny", "Bash(rm *)"),
    rule("allow", "Grep"),
  ]);
  expect(groups.map(({ name, rules }) => [name, rules.map((each) => each.rule)])).toEqual([
    ["Always denied", ["Bash(rm *)"]],
    ["Allowed", ["Read", "Grep"]],
    ["odd", ["X"]],
  ]);
  expect([sourceWords("localSettings"), sourceWords("elsewhere")]).toEqual(["this project, only you", "elsewhere"]);
  const decision = { outcome: "allowed", by: "phone", at: 5, edited: false, remembered: ["Allow Bash(ls)"] } as const;
  const items = [
    item("1", edit("/a", "completed", 1, { decision: { ...decision, remembered: ["Allow Bash(ls)"] } })),
    item("2", edit("/a", "completed", 1, { decision: { ...decision, remembered: [] } })),
  ];
  expect(grants(items).map(({ rules, decision: { by } }) => [rules, by])).toEqual([[["Allow Bash(ls)"], "phone"]]);
});

test("a rule says where it is kept, and what it means if somebody has said so", () => {
  const rule = { behavior: "allow", rule: "Bash(git *)", source: "userSettings" };
  expect(ruleNote({ ...rule, description: null })).toBe("all your projects");
  expect(ruleNote({ ...rule, description: "Any git command" })).toBe("all your projects · Any git command");
});

describe("records", () => {
  const lines = [
    { seq: 1, at: 10, source: "host", line: { fact: "spawned", program: "claude" } },
    { seq: 2, at: 11, source: "stdout", line: { type: "system", subtype: "init", tools: [] } },
    { seq: 3, at: 12, source: "stdout", line: { type: "stream_event", event: { type: "x", delta: { text: "Hel" } } } },
    {
      seq: 4,
      at: 13,
      source: "stdout",
      line: { type: "assistant", message: { content: [{ type: "tool_use", name: "Bash", input: { command: "ls" } }] } },
    },
    { seq: 5, at: 14, source: "stdin", line: { type: "control_request", request: { subtype: "interrupt" } } },
    { seq: 6, at: 15, source: "stderr", text: "oh\n  dear" },
  ];
  const entries = readRecords(`${lines.map((line) => JSON.stringify(line)).join("\n")}\nnot a record\n`);

  test("each says what it is in a few words", () => {
    expect(entries.map(({ seq, kind, words }) => [seq, kind, words])).toEqual([
      [1, "spawned", '{"program":"claude"}'],
      [2, "system init", '{"tools":[]}'],
      [3, "stream_event", "Hel"],
      [4, "assistant", 'Bash {"command":"ls"}'],
      [5, "control_request interrupt", "{}"],
      [6, "stderr", "oh dear"],
    ]);
  });

  test("they are found by kind and by any text in them", () => {
    const found = (kind: string, text: string) =>
      entries.filter((entry) => isWanted(entry, { kind, text })).map(({ seq }) => seq);
    expect(found("whole", "")).toEqual([1, 2, 4, 5, 6]);
    expect(found("", "")).toHaveLength(6);
    expect(found("assistant", "")).toEqual([4]);
    expect(found("", "INTERRUPT")).toEqual([5]);
    expect(found("assistant", "interrupt")).toEqual([]);
    expect(kindsOf(entries)).toContain("system init");
  });
});

test("the address names what is inspected, and what nobody knows is left out", () => {
  const place = { page: "session", id: "a/b", tab: "files", at: "/src/ä b.rs" } as const;
  expect(readPlace(placeHref(place))).toEqual(place);
  expect(placeHref({ page: "session", id: "x" })).toBe("#/s/x");
  expect(readPlace("#/s/x/raw/12")).toEqual({ page: "session", id: "x", tab: "raw", at: "12" });
  expect(readPlace("#/s/x/nothing")).toEqual({ page: "session", id: "x" });
});

test("whatever the browser kept, the inspector can be drawn", () => {
  expect(readKept(null)).toEqual({ isOpen: false, tab: "tasks", byStatus: false });
  expect(readKept('{"isOpen":true,"tab":"cost","byStatus":true}')).toEqual({
    isOpen: true,
    tab: "cost",
    byStatus: true,
  });
  expect(readKept('{"isOpen":"yes","tab":"odd"}').tab).toBe("tasks");
  expect(readKept("[broken").isOpen).toBe(false);
});
