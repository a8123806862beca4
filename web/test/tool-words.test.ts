import { describe, expect, test } from "vitest";
import type { Decision, ToolItem, ToolView } from "../src/generated";
import { wholeDiff } from "../src/view/diff/wholeDiff";
import {
  byWhom,
  figuresOf,
  glyphOf,
  humanName,
  humanWords,
  objectOf,
  shortPath,
  stateWords,
  tookMs,
  verbOf,
} from "../src/view/item/toolWords";

const tool = (view: ToolView, more: Partial<ToolItem> = {}): ToolItem => ({
  name: "Tool",
  toolKind: "other",
  title: "",
  status: "completed",
  input: { text: "{}" },
  view,
  images: [],
  locations: [],
  ...more,
});

const decision = (more: Partial<Decision>): Decision => ({
  outcome: "allowed",
  at: 5000,
  edited: false,
  remembered: [],
  ...more,
});

test("tools of MCP servers are named as people name things", () => {
  const mcp = tool({ view: "mcp", server: "github", tool: "search_repositories", output: { text: "" } });
  expect(verbOf(mcp)).toBe("GitHub › Search repositories");
  expect(humanName("claude_ai_Google_Drive")).toBe("Claude ai Google Drive");
  expect(["listOpenIssues", "perPage", "baseURL", "deploy-bot"].map(humanWords)).toEqual([
    "List open issues",
    "Per page",
    "BaseURL",
    "Deploy bot",
  ]);
  expect(humanWords("_")).toBe("_");
});

test("paths are seen from the folder of the agent, and only if they are in it", () => {
  expect(shortPath("/src/tern/a.rs", "/src/tern")).toBe("a.rs");
  expect(shortPath("/src/tern/a.rs", "/src/tern/")).toBe("a.rs");
  expect(shortPath("/src/ternary/a.rs", "/src/tern")).toBe("/src/ternary/a.rs");
  expect(shortPath("/src/tern", "/src/tern")).toBe(".");
  expect(shortPath("/a", "/")).toBe("/a");
});

test("a command shows its first line", () => {
  const view: ToolView = {
    view: "command",
    command: { text: "\n  make all\nmake test" },
    output: { text: "" },
    interrupted: false,
    background: false,
  };
  expect(objectOf(tool(view), undefined)).toEqual({ text: "make all", isCode: true, isPath: false });
});

describe("figures", () => {
  const read = (more: object) => figuresOf({ view: "read", path: "a", content: { text: "" }, ...more });
  test("of a file that was read", () => {
    expect(read({})).toBeUndefined();
    expect(read({ startLine: 1, lines: 214, totalLines: 214 })).toBe("214 lines");
    expect(read({ startLine: 196, lines: 33, totalLines: 500 })).toBe("lines 196–228");
  });
  test("of a search", () => {
    const search = { view: "search", pattern: "x", output: { text: "" } } as const;
    expect(figuresOf({ ...search, count: 1, truncated: false })).toBe("1 match");
    expect(figuresOf({ ...search, count: 100, truncated: true })).toBe("100 matches or more");
  });
});

describe("states", () => {
  test("each has its own shape", () => {
    const other: ToolView = { view: "other", output: { text: "" } };
    const shapes = (["running", "waiting", "completed", "denied", "cancelled"] as const).map(
      (status) => glyphOf(tool(other, { status })).icon,
    );
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(glyphOf(tool(other, { status: "failed" })).tone).toBe("is-danger");
  });

  test("in words", () => {
    expect(stateWords("completed", undefined, undefined)).toBeUndefined();
    expect(stateWords("denied", decision({ outcome: "denied", by: "laptop" }), "laptop")).toMatch(/^Denied by you, /);
    expect(stateWords("denied", decision({ outcome: "denied", by: "Ana's phone" }), "laptop")).toMatch(
      /^Denied by Ana's phone, /,
    );
    expect(stateWords("cancelled", decision({ outcome: "withdrawn" }), undefined)).toBe("Withdrawn by the agent");
    expect(stateWords("cancelled", decision({ outcome: "abandoned" }), undefined)).toBe("Lost: the agent ended");
    expect(stateWords("cancelled", decision({ outcome: "interrupted" }), undefined)).toBe("Interrupted");
    expect(stateWords("cancelled", undefined, undefined)).toBe("Interrupted");
    expect(stateWords("ended", undefined, undefined)).toBe("Ended with the agent");
  });

  test("who decided", () => {
    expect(byWhom(undefined, undefined)).toBe("by you");
    expect(byWhom("user_temporary", undefined)).toBe("by you");
    expect(byWhom("permission-rule", undefined)).toBe("by a rule");
    expect(byWhom("hook", undefined)).toBe("by a hook");
    expect(byWhom("automode-blocked", undefined)).toBe("by the automatic check");
    // A device is called as somebody has called it.
    for (const name of ["ci-webhook", "planner", "autopilot", "userbot", "you"])
      expect(byWhom(name, "laptop")).toBe(`by ${name}`);
  });
});

test("the time that a call waited for leave is none that it took", () => {
  expect(tookMs({ endedAt: 9000 }, 1000)).toBe(8000);
  expect(tookMs({ endedAt: 9000, decision: decision({ at: 5000 }) }, 1000)).toBe(4000);
  expect(tookMs({}, 1000)).toBeUndefined();
});

describe("a change that is too long", () => {
  const head = {
    path: "a",
    hunks: [],
    added: 9,
    removed: 0,
    created: false,
    userModified: false,
    proposed: false,
    more: { bytes: 1, seq: 1, pointer: "" },
  };
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] };

  test("is read from the result", () => {
    const whole = wholeDiff(head, JSON.stringify({ structuredPatch: [hunk, { lines: "no" }, null] }));
    expect(whole?.hunks).toEqual([hunk]);
    expect(whole && "more" in whole).toBe(false);
  });

  test("or from what the agent wants to do", () => {
    const whole = wholeDiff(head, JSON.stringify({ old_string: "a\nb", new_string: "c" }));
    expect(whole?.hunks[0]?.lines).toEqual(["-a", "-b", "+c"]);
  });

  test.each(["", "null", "[]", "{}", "no JSON"])("or is not there: %j", (text) => {
    expect(wholeDiff(head, text)).toBeUndefined();
  });
});
