import { afterEach, expect, test, vi } from "vitest";
import type { AskBody, Decision, Question } from "../src/generated";
import { answersOf, inSteps, NOTHING, pick, pickOther, writeOther } from "../src/view/ask/answers";
import { fields, filled, initially } from "../src/view/ask/form";
import { changedInput, editable } from "../src/view/ask/input";
import { askTitle, goneWords, reasons, titleText, within } from "../src/view/ask/titles";

afterEach(() => vi.unstubAllEnvs());

const question = (name: string, multiSelect: boolean): Question => ({
  question: name,
  multiSelect,
  options: [{ label: "Red" }, { label: "Blue, dark" }],
});

test("one answer is a text, several are a list, and words of one's own are one of them", () => {
  const [one, many] = [question("One?", false), question("Many?", true)];
  const first = pick(one, pick(one, NOTHING, 0), 1);
  const several = writeOther(many, pick(many, NOTHING, 1), " Green ");
  expect(answersOf([one, many], [first, several])).toEqual({ "One?": "Blue, dark", "Many?": ["Blue, dark", "Green"] });
});

test("a single choice gives way to words of one's own, and the other way round", () => {
  const one = question("One?", false);
  const own = writeOther(one, pick(one, NOTHING, 0), "Teal");
  expect(answersOf([one], [own])).toEqual({ "One?": "Teal" });
  expect(answersOf([one], [pick(one, own, 0)])).toEqual({ "One?": "Red" });
});

test("what is not answered is left out: nothing chosen, taken back, or no words", () => {
  const many = question("Many?", true);
  const back = pick(many, pick(many, NOTHING, 0), 0);
  expect(answersOf([many], [back])).toEqual({});
  expect(answersOf([many], [pickOther(many, NOTHING, true)])).toEqual({});
  expect(answersOf([many], [])).toEqual({});
});

test("more than two questions are asked in steps, on a phone more than one", () => {
  expect([inSteps(2, false), inSteps(3, false), inSteps(1, true), inSteps(2, true)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

const SCHEMA = JSON.stringify({
  type: "object",
  required: ["name", "age", "mail", "colour"],
  properties: {
    name: { type: "string", title: "Your name", minLength: 2 },
    age: { type: "integer", minimum: 18 },
    mail: { type: "string", format: "email", description: "Where to write" },
    colour: { type: "string", enum: ["r", "b"], enumNames: ["Red", "Blue"], default: "b" },
    size: { oneOf: [{ const: "s", title: "Small" }] },
    tags: { type: "array", items: { enum: ["x", "y"] }, maxItems: 1 },
    news: { type: "boolean", default: true },
    more: { type: "object" },
  },
});

test("a schema becomes fields with labels, help, defaults and options", () => {
  const form = fields(SCHEMA) ?? [];
  expect(form.map(({ name, label, kind, isRequired }) => [name, label, kind.type, isRequired])).toEqual([
    ["name", "Your name", "text", true],
    ["age", "age", "number", true],
    ["mail", "mail", "text", true],
    ["colour", "colour", "one", true],
    ["size", "size", "one", false],
    ["tags", "tags", "many", false],
    ["news", "news", "boolean", false],
    ["more", "more", "json", false],
  ]);
  expect(form[3]).toMatchObject({ initial: "b", kind: { options: [{ words: "Red" }, { words: "Blue" }] } });
  expect(fields("no json")).toBeUndefined();
  expect(fields('{"type":"string"}')).toBeUndefined();
});

test("the fields of a form stand in the order of the server", () => {
  const schema = '{"type":"object","properties":{"b":{},"2":{},"1":{},"a":{}}}';
  const names = (order?: string[]) => fields(schema, order)?.map(({ name }) => name);
  expect(names(["2", "a", "gone", "2"])).toEqual(["2", "a", "1", "b"]);
  expect(names()).toEqual(["1", "2", "b", "a"]);
});

test("a moment that a server proposes stands in its field by the clock here, and is sent as that moment", () => {
  vi.stubEnv("TZ", "Asia/Kolkata");
  const proposed = (value: unknown) => {
    const property = { type: "string", format: "date-time", default: value };
    const form = fields(JSON.stringify({ type: "object", properties: { when: property } })) ?? [];
    return { shown: form[0]?.initial, sent: filled(form, initially(form)) };
  };
  expect(proposed("2026-01-01T10:00:00Z")).toEqual({
    shown: "2026-01-01T15:30",
    sent: { content: { when: "2026-01-01T10:00:00.000Z" } },
  });
  expect(proposed("2026-01-01T23:59:07+02:00")).toEqual({
    shown: "2026-01-02T03:29:07",
    sent: { content: { when: "2026-01-01T21:59:07.000Z" } },
  });
  for (const none of ["tomorrow", 7, undefined]) expect(proposed(none)).toEqual({ shown: "", sent: { content: {} } });
});

test("a form is sent with the types that it wants, or says what is wrong", () => {
  const form = fields(SCHEMA) ?? [];
  const typed = { ...initially(form), name: "Ana", age: "41", mail: "ana@example.org", more: '{"a":1}' };
  expect(filled(form, typed)).toEqual({
    content: { name: "Ana", age: 41, mail: "ana@example.org", colour: "b", news: true, more: { a: 1 } },
  });
  const bad = filled(form, { ...typed, name: "", age: "17.5", mail: "ana", tags: ["x", "y"], more: "{" });
  expect(Object.keys("faults" in bad ? bad.faults : {})).toEqual(["name", "age", "mail", "tags", "more"]);
});

test("of a command the command is edited, of everything else the JSON, and the rest stays", () => {
  const json = '{"command":"git show","timeout":5}';
  const part = editable(json, "command");
  expect(part).toEqual({ field: "command", text: "git show" });
  if (!part) return;
  expect(changedInput(json, part, "git log")).toEqual({ input: { command: "git log", timeout: 5 } });
  expect(changedInput(json, part, " ")).toHaveProperty("fault");
  const all = editable(json, "mcp");
  expect(all?.field).toBe("");
  expect(changedInput(json, { field: "", text: "" }, "[1]")).toHaveProperty("fault");
  expect(editable('{"comm', "command")).toBeUndefined();
});

test("a prompt is a question in words", () => {
  const ask: AskBody = {
    kind: "permission",
    tool: "Edit",
    toolKind: "edit",
    title: "",
    view: {
      view: "edit",
      diff: {
        path: "/src/app/lexer.rs",
        hunks: [],
        added: 1,
        removed: 1,
        created: false,
        userModified: false,
        proposed: true,
      },
    },
    input: { text: "{}" },
    suggestions: [],
    defaultToNo: false,
    suppressAlwaysAllow: false,
  };
  expect(titleText(askTitle(ask, "/src/app/"))).toBe("Allow this edit of lexer.rs?");
  const mcp = { ...ask, view: { view: "mcp", server: "github", tool: "get_issue", output: { text: "" } } } as const;
  expect(titleText(askTitle(mcp, undefined))).toBe("Let GitHub do “Get issue”?");
  expect(within("/src/application/x", "/src/app")).toBe("/src/application/x");
});

test("a card says why it asks, by which rule, and where the server of the tool is from", () => {
  expect(reasons({})).toEqual([]);
  expect(reasons({ blockedPath: "/etc" })).toEqual([{ words: "Outside of where it may work", code: "/etc" }]);
  expect(reasons({ reason: "a rule", matchedRule: "Bash(git push *)", mcpSource: "project" })).toEqual([
    { words: "Asks because: a rule", code: undefined },
    { words: "A rule says to ask", code: "Bash(git push *)" },
    { words: "Its server is configured in", code: "project" },
  ]);
});

test("a form has the heading that its server gave it", () => {
  const form = { kind: "elicitation" as const, server: "git", message: { text: "Which?" }, propertyOrder: [] };
  expect(titleText(askTitle(form, undefined))).toBe("Git asks for something");
  const headed = { ...form, displayName: "Git of the team", title: "A branch" };
  expect(titleText(askTitle(headed, undefined))).toBe("Git of the team: A branch");
});

test("who answered elsewhere is said, and a question that was withdrawn was not answered", () => {
  const decision = (more: Partial<Decision>): Decision => ({
    outcome: "allowed",
    at: new Date(2026, 1, 1, 14, 11).getTime(),
    edited: false,
    remembered: [],
    ...more,
  });
  expect(goneWords("permission", decision({ by: "Ana's phone" }), "Desk")).toMatch(/^Allowed on Ana's phone, .*11/);
  expect(goneWords("permission", decision({ by: "Desk", outcome: "denied" }), "Desk")).toMatch(
    /^Denied in another window/,
  );
  expect(goneWords("plan", decision({ outcome: "withdrawn" }), "Desk")).toMatch(/^Withdrawn by the agent/);
  expect(goneWords("plan", decision({ outcome: "interrupted" }), "Desk")).toMatch(/^Interrupted before there was/);
  expect(goneWords("dialog", undefined, "Desk")).toBe("This is not asked any more");
});
