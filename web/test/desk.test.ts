import { expect, test } from "vitest";
import type { Catalog } from "../src/generated";
import type { Row } from "../src/store/rows";
import { readPrefs } from "../src/view/notice/prefs";
import { readDollars } from "../src/view/panel/dollars";
import { fittingGroups, helpGroups } from "../src/view/panel/help";
import { placeHref, readPlace } from "../src/view/route";
import { currentModel, modelChoices } from "../src/view/session/models";
import { modesOf } from "../src/view/session/modes";
import { rowsAfter } from "../src/view/timeline/cleared";

test.each([
  ["#/settings", { page: "panel", panel: "look" }],
  ["#/settings/devices", { page: "panel", panel: "devices" }],
  ["#/keys", { page: "panel", panel: "keys" }],
  ["#/s/a%2Fb/settings", { page: "panel", panel: "session", session: "a/b" }],
  ["#/s/a/settings/budgets", { page: "panel", panel: "budgets", session: "a" }],
  ["#/s/a/help", { page: "panel", panel: "help", session: "a" }],
  ["#/s/a/anything", { page: "session", id: "a" }],
  ["#/anything", { page: "sessions" }],
  ["#/settings/anything", { page: "panel", panel: "look" }],
] as const)("%s leads where it says", (hash, place) => {
  expect(readPlace(hash)).toEqual(place);
  if (!hash.includes("anything") && hash !== "#/settings") expect(placeHref(place)).toBe(hash);
});

test("the modes are those of the version, of the model, and of the server", () => {
  const now = { mode: "default", version: "2.1.325", hasAuto: undefined, mayBypass: false };
  expect(modesOf(now)).toEqual(["default", "acceptEdits", "plan", "dontAsk", "auto"]);
  expect(modesOf({ ...now, hasAuto: false })).not.toContain("auto");
  expect(modesOf({ ...now, version: "2.1.38" })).toContain("delegate");
  expect(modesOf({ ...now, version: "2.1.38" })).not.toContain("auto");
  expect(modesOf({ ...now, version: "2.0.77" })).toContain("delegate");
  expect(modesOf({ ...now, mayBypass: true }).at(-1)).toBe("bypassPermissions");
  // What is so is shown, whoever allowed it.
  expect(modesOf({ ...now, mode: "bypassPermissions" }).at(-1)).toBe("bypassPermissions");
});

const model = (value: string, more = {}) => ({ value, name: value, description: "", effortLevels: [], ...more });

test("short names are offered where the agent does not, and the one that answers is always there", () => {
  const values = (models: ReturnType<typeof model>[], now?: string) =>
    modelChoices(models, now).map(({ value }) => value);
  expect(values([])).toEqual(["sonnet", "opus", "haiku"]);
  expect(values([model("default"), model("claude-sonnet-4-5-20250929")])).toEqual([
    "default",
    "claude-sonnet-4-5-20250929",
    "opus",
    "haiku",
  ]);
  expect(values([model("opus"), model("sonnet"), model("haiku")], "my-own-model").at(-1)).toBe("my-own-model");
});

test("the model that answers is known by what it says, or by its name", () => {
  const models = [model("default", { resolved: "claude-opus-5-5" }), model("opus", { resolved: "claude-opus-5-5" })];
  expect(currentModel(models, "claude-opus-5-5")?.value).toBe("opus");
  expect(currentModel([model("opus"), model("haiku")], "claude-haiku-4-5-20251001")?.value).toBe("haiku");
  expect(currentModel(models, undefined)).toBeUndefined();
});

test("what is cleared is folded away, and what comes after stays", () => {
  const rows: Row[] = [
    { kind: "item", key: "a", id: "a" },
    { kind: "parallel", key: "parallel:b", count: 2 },
    { kind: "step", key: "b", id: "b", inGroup: true },
    { kind: "step", key: "c", id: "c", inGroup: true },
  ];
  const orders: Record<string, [number, number]> = { a: [1, 0], b: [2, 0], c: [2, 1] };
  const left = (after: [number, number] | undefined) =>
    rowsAfter(rows, after && { after, at: 0 }, (id) => orders[id]).map(({ key }) => key);
  expect(left(undefined)).toEqual(["a", "parallel:b", "b", "c"]);
  expect(left([1, 0])).toEqual(["parallel:b", "b", "c"]);
  expect(left([2, 0])).toEqual(["c"]);
  expect(left([2, 1])).toEqual([]);
});

test("the help has all that the agent says, and finds it by any word", () => {
  const catalog: Catalog = {
    tools: ["Bash", "mcp__github__search_repositories", "Odd"],
    commands: [{ name: "compact", description: "Sums up", argumentHint: "[what]", aliases: [] }],
    terminalCommands: [],
    agents: ["Explore"],
    skills: ["debug"],
    plugins: [{ name: "plug", path: "/p", version: "1.0" }],
    models: [model("opus")],
    outputStyles: [],
    capabilities: [],
    directories: [],
    agentKinds: [{ name: "Explore", description: "Looks around" }],
  };
  const found = (query: string) =>
    fittingGroups(helpGroups(catalog), query).flatMap(({ entries }) => entries.map(({ name }) => name));
  expect(helpGroups(catalog).map(({ title }) => title)).toEqual([
    "Commands",
    "Tools",
    "Skills",
    "Agents",
    "Plugins",
    "Models",
  ]);
  expect(found("sums up")).toEqual(["/compact"]);
  expect(found("looks around")).toEqual(["Explore"]);
  expect(found("shell")).toEqual(["Bash"]);
  expect(found("mcp__github")).toEqual(["GitHub › Search repositories"]);
  expect(found("plug 1.0")).toEqual(["plug"]);
  expect(found("nothing at all")).toEqual([]);
});

test("whatever was kept, there are preferences for notifications", () => {
  const usual = { needsYou: { system: true, sound: false }, finished: { system: true, sound: false } };
  for (const text of [null, "", "{", "7", '"x"', '{"needsYou":7}', '{"finished":{"sound":"yes"}}']) {
    expect(readPrefs(text)).toEqual(usual);
  }
  expect(readPrefs('{"finished":{"system":false,"sound":true}}')).toEqual({
    ...usual,
    finished: { system: false, sound: true },
  });
});

test("a sum is read as people write it", () => {
  expect(["", " $ 12,50 ", "40", "0"].map(readDollars)).toEqual([undefined, 12.5, 40, 0]);
  expect(["x", "-1", "1e3", "0x10", "1.2.3"].map(readDollars)).toEqual(Array(5).fill("wrong"));
});
