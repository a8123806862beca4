// The form for a new session, the look, the address, and words of the frame.

import { describe, expect, test } from "vitest";
import { newId } from "../src/api/ids";
import { placeHref, readPlace } from "../src/view/route";
import { readLook } from "../src/view/shell/look";
import { EMPTY_FORM, keptForm, readForm } from "../src/view/start/form";
import { fromHome, offersFor, parentOf } from "../src/view/start/offers";
import { inside, limitName, modelName, modeWords, shortMode } from "../src/view/words";

test("a folder is completed from its parent's folders, and from those that are allowed", () => {
  expect([parentOf(""), parentOf("src"), parentOf("/a/b"), parentOf("/a/")]).toEqual([
    undefined,
    undefined,
    "/a/",
    "/a/",
  ]);
  const inner = ["/home/ada/tern", "/home/ada/Tide", "/home/ada/reef"];
  expect(offersFor("/home/ada/t", inner, [])).toEqual(["/home/ada/tern", "/home/ada/Tide"]);
  expect(offersFor("/home/ada/", inner, ["/srv"])).toEqual(inner);
  // By another path than the server's own, as through a link.
  expect(offersFor("/ada/re", inner, [])).toEqual(["/ada/reef"]);
  expect(offersFor("/sr", [], ["/srv", "/home/ada"])).toEqual(["/srv"]);
  // What is there already is no offer; what it begins is.
  expect(offersFor("/home/ada/tern", inner, [])).toEqual([]);
  expect(offersFor("/srv", ["/srv2"], ["/srv"])).toEqual(["/srv", "/srv2"]);
  expect(offersFor("", inner, ["/srv"])).toEqual([]);
});

test("whoever begins at home is offered folders that begin there", () => {
  const roots = ["/home/ada/tern", "/home/ada", "/home/adam/tern", "/srv"];
  expect(fromHome("~/t", roots, "/home/ada")).toEqual(["~/tern", "~", "/home/adam/tern", "/srv"]);
  expect(offersFor("~/t", [], fromHome("~/t", roots, "/home/ada"))).toEqual(["~/tern"]);
  expect(offersFor("~", [], fromHome("~", roots, "/home/ada"))).toEqual(["~/tern", "~"]);
  expect(offersFor("~/src/r", ["/home/ada/src/reef", "/home/ada/src/tide"], [])).toEqual(["~/src/reef"]);
  for (const [typed, home] of [
    ["/home/ada/t", "/home/ada"],
    ["~ada/", "/home/ada"],
    ["~/t", undefined],
  ] as const)
    expect(fromHome(typed, roots, home)).toEqual(roots);
});

const form = { ...EMPTY_FORM, cwd: "/src" };

describe("the form", () => {
  test("what is left empty is left to the CLI", () => {
    expect(readForm(form)).toEqual({ ok: true, options: { cwd: "/src" } });
  });

  test("everything that is filled in goes along", () => {
    const filled = {
      ...form,
      model: " opus ",
      effort: "high",
      mode: "plan",
      budget: "$2,50",
      maxTurns: "20",
      title: "A title",
      directories: "/a\n\n /b ",
      allowedTools: "Bash(git *)\nRead",
      disallowedTools: "WebFetch",
      appendSystemPrompt: "  Be brief.\n",
      fallbackModels: "sonnet",
      mcpServers: '{"mcpServers": {"files": {"command": "f"}}}',
      strictMcp: true,
    };
    expect(readForm(filled)).toEqual({
      ok: true,
      options: {
        cwd: "/src",
        model: "opus",
        effort: "high",
        mode: "plan",
        maxBudgetUsd: 2.5,
        maxTurns: 20,
        title: "A title",
        directories: ["/a", "/b"],
        allowedTools: ["Bash(git *)", "Read"],
        disallowedTools: ["WebFetch"],
        appendSystemPrompt: "  Be brief.\n",
        fallbackModels: ["sonnet"],
        mcpServers: { files: { command: "f" } },
        strictMcp: true,
      },
    });
  });

  test("to ask for nothing is said as that, not as a mode", () => {
    const read = readForm({ ...form, mode: "bypassPermissions" });
    expect(read).toEqual({ ok: true, options: { cwd: "/src", bypassPermissions: true } });
  });

  test.each([
    ["cwd", { cwd: "  " }],
    ["budget", { budget: "much" }],
    ["budget", { budget: "-1" }],
    ["budget", { budget: "0" }],
    ["maxTurns", { maxTurns: "1.5" }],
    ["mcpServers", { mcpServers: "{" }],
    ["mcpServers", { mcpServers: "[1]" }],
    ["mcpServers", { mcpServers: '{"files": 1}' }],
  ])("%s can be wrong: %o", (name, change) => {
    const read = readForm({ ...form, ...change });
    expect(read.ok ? [] : Object.keys(read.errors)).toEqual([name]);
  });

  test("whatever was kept, what comes out is a form", () => {
    expect(keptForm(JSON.stringify({ ...form, strictMcp: "yes", odd: 1 }))).toEqual(form);
    for (const odd of [null, "", "[]", "null", "{", "7"]) expect(keptForm(odd)).toEqual(EMPTY_FORM);
  });
});

test("whatever was kept, what comes out is a look", () => {
  expect(readLook('{"theme":"dark","density":"compact"}')).toEqual({ theme: "dark", density: "compact" });
  for (const odd of [null, "", "null", "[]", '{"theme":"<b>"}']) {
    expect(readLook(odd)).toEqual({ theme: "system", density: "comfortable" });
  }
});

test("places and their addresses", () => {
  const places = [
    { page: "sessions" },
    { page: "session", id: "a/b c" },
    { page: "new" },
    { page: "new", tab: "resume" },
    { page: "new", tab: "fork" },
    { page: "session", id: "a", item: "toolu_1/2" },
    { page: "inbox" },
    { page: "usage" },
    { page: "search" },
    { page: "search", text: "as u16 / ü?" },
  ] as const;
  for (const place of places) expect(readPlace(placeHref(place))).toEqual(place);
  expect(readPlace("#/s/%")).toEqual({ page: "session", id: "%" });
  expect(readPlace("#/what/ever")).toEqual({ page: "sessions" });
});

test("models and limits have names", () => {
  expect(modelName("claude-opus-4-5-20251101")).toBe("Opus 4.5");
  expect(modelName("claude-sonnet-4-20250514")).toBe("Sonnet 4");
  expect(modelName("claude-sonnet-4-5-20250929[1m]")).toBe("Sonnet 4.5 1M");
  expect(modelName("haiku")).toBe("Haiku");
  expect(modelName("us.anthropic.claude:0")).toBe("us.anthropic.claude:0");
  expect(limitName("five_hour")).toBe("5 hours");
  expect(limitName("of_the_future")).toBe("of the future");
});

test("a mode that nobody has told is not taken for one", () => {
  expect([modeWords("default"), shortMode("default")]).toEqual(["Ask first", "Ask first"]);
  expect([modeWords(undefined), shortMode(undefined)]).toEqual(["Not known yet", "Not known yet"]);
});

test("paths in the folder are short, others are not", () => {
  expect(inside("Edit /src/tern/a.rs", "/src/tern")).toBe("Edit a.rs");
  expect(inside("Edit /src/ternary/a.rs", "/src/tern/")).toBe("Edit /src/ternary/a.rs");
  expect(inside("Edit /a.rs", undefined)).toBe("Edit /a.rs");
});

test("names are uuids, and new each time", () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newId()).not.toBe(newId());
});
