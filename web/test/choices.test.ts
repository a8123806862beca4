import { expect, test } from "vitest";
import type { Suggestion, ToolView } from "../src/generated";
import { allow, choices, effectWords, planChoices, reachOf, reworded, ruleFault } from "../src/view/ask/choices";

const command: ToolView = {
  view: "command",
  command: { text: "git show" },
  output: { text: "" },
  interrupted: false,
  background: false,
};
const suggestion = (more: Partial<Suggestion>): Suggestion => ({
  type: "addRules",
  label: "",
  rules: [],
  directories: [],
  ...more,
});
const RULE = suggestion({ rules: ["Bash(git show *)"], behavior: "allow", destination: "localSettings" });
const FOLDER = suggestion({ type: "addDirectories", directories: ["/tmp/x"], destination: "session" });
const MODE = suggestion({ type: "setMode", mode: "acceptEdits", destination: "session" });
const words = (pieces: readonly (string | { code: string })[]) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : `\`${piece.code}\``)).join("");

test("once comes first, and every suggestion is a choice in words with its rule and place", () => {
  const all = choices({ view: command, suggestions: [RULE, FOLDER, MODE], suppressAlwaysAllow: false });
  expect(all.map(({ what, scope, button, key }) => [words(what), words(scope), button, key])).toEqual([
    ["Once", "this command only", "Allow once", "A"],
    ["Allow `Bash(git show *)` in this project", "only me, not committed", "Allow and save rule", undefined],
    ["Allow work in `/tmp/x` in this session", "until it ends", "Allow and add folder", "S"],
    ["Accept every edit in this session", "until it ends, mode `acceptEdits`", "Allow and switch mode", undefined],
  ]);
});

test("where nothing is to be remembered there is only once", () => {
  expect(choices({ view: command, suggestions: [RULE], suppressAlwaysAllow: true })).toHaveLength(1);
});

test("a mode that takes every guard away is marked, and has no key", () => {
  const bypass = suggestion({ type: "setMode", mode: "bypassPermissions", destination: "session" });
  const [, choice] = choices({ view: command, suggestions: [bypass], suppressAlwaysAllow: false });
  expect(choice).toMatchObject({ isDangerous: true });
  expect(choice?.key).toBeUndefined();
});

test("a yes carries what was chosen, as it is or edited; another input is allowed once", () => {
  const [once, rule] = choices({ view: command, suggestions: [RULE], suppressAlwaysAllow: false });
  if (!once || !rule) throw new Error("two choices");
  expect(allow(once, undefined, undefined)).toEqual({ kind: "allow" });
  expect(allow(rule, undefined, undefined)).toEqual({ kind: "allow", remember: [{ suggestion: 0 }] });
  const edited = { rules: " Bash(git *) \n\nWebFetch", destination: "session" };
  expect(allow(rule, edited, undefined)).toEqual({
    kind: "allow",
    remember: [{ suggestion: 0, rules: ["Bash(git *)", "WebFetch"], destination: "session" }],
  });
  expect(allow(rule, edited, { command: "ls" })).toEqual({ kind: "allow", input: { command: "ls" } });
  expect(words(reworded(rule, edited).what)).toBe("Allow `Bash(git *)`, `WebFetch` in this session");
  expect(reworded(rule, edited).button).toBe("Allow for this session");
});

test("what is no rule is not sent", () => {
  expect(ruleFault("Bash(git log, git show *)")).toBeUndefined();
  expect(ruleFault("mcp__github__*")).toBeUndefined();
  expect(ruleFault(" ")).toMatch(/Write a rule/);
  expect(ruleFault("Bash(git")).toMatch(/no rule/);
  expect(ruleFault("git push")).toMatch(/no rule/);
});

test("a plan is approved as it is, or with what is suggested; its rules are not edited", () => {
  const all = planChoices([RULE, MODE]);
  expect(all.map(({ button }) => button)).toEqual(["Approve", "Approve", "Approve"]);
  expect(all.every(({ rules }) => rules === undefined)).toBe(true);
});

test("what a rule would have covered is told, and what was denied apart", () => {
  const call = (denied: boolean) => ({ session: "s", id: "c", tool: "Bash", about: "make", at: 0, denied });
  const told = (lookedAt: number, ...calls: boolean[]) => effectWords({ lookedAt, calls: calls.map(call) });
  expect(told(0)).toEqual({ words: "There are no calls yet to hold it beside." });
  expect(told(1)).toEqual({ words: "It does not cover the last call." });
  expect(told(500, false, false)).toEqual({ words: "It covers 2 of the last 500 calls, none of them denied." });
  expect(told(500, true)).toEqual({ words: "It covers 1 of the last 500 calls, of which ", denied: "1 was denied." });
  expect(told(40, true, true, false).denied).toBe("2 were denied.");
});

test("calls are looked at wherever the rule would hold", () => {
  const places = ["session", "cliArg", "localSettings", "projectSettings", "userSettings"];
  expect(places.map(reachOf)).toEqual(["session", "session", "project", "project", "everyone"]);
});
