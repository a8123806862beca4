// What is the user's own, as the page has it.

import { afterEach, expect, test, vi } from "vitest";
import { ownSettings } from "../src/api/own";
import { changeOwn, own } from "../src/store/own";

afterEach(() => vi.unstubAllGlobals());

test("what a preset does not say is not there", async () => {
  vi.stubGlobal("document", { baseURI: "http://here/" });
  const presets = { Careful: { cwd: "/src", model: null, effort: null, tools: null, allowedTools: [] } };
  vi.stubGlobal("fetch", async () => Response.json({ keybindings: {}, presets, budgets: {} }));
  expect((await ownSettings()).presets).toEqual({ Careful: { cwd: "/src", allowedTools: [] } });
});

test("a change before anything is known does not let the rest seem gone", async () => {
  const kept = { keybindings: { palette: "F1" }, presets: {}, budgets: {} as Record<string, number> };
  vi.stubGlobal("document", { baseURI: "http://here/" });
  vi.stubGlobal("fetch", async (_: URL, { method }: RequestInit) => {
    if (method === "PATCH") kept.budgets = { day: 5 };
    return method === "PATCH" ? new Response(null, { status: 204 }) : Response.json(kept);
  });
  await changeOwn({ budgets: { day: 5 } });
  expect(own()).toEqual({ keybindings: { palette: "F1" }, presets: {}, budgets: { day: 5 } });
});
