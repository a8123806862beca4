// Texts that would do something if they were taken for more than text, in every place where the page shows what somebody else
// wrote. They are read, and nothing happens.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { allIn, endOf, first, isInnocent, missingIn, numbers, oneIn, readRows, second, sliced, texts } from "./hostile";
import { ASKED, ASKS } from "./hostile.asks";
import { isAll } from "./scope";
import { Screen } from "./screen";
import { button, composer, conversation, look, openSession, read, runTurnsOffScreen, turnEnds, write } from "./session";
import { type Block, called, calls, gave, line, says, thinks, turn } from "./story";

/** What is asked of the agent besides: who it is, what it can do, its servers, its context. */
const on_control = [
  {
    subtype: "initialize",
    does: {
      body: {
        commands: numbers.map((at) => ({
          name: `c${at}-${texts[at]?.replace(/\s/g, "")}`,
          description: oneIn("command", at),
          argumentHint: oneIn("hint", at),
        })),
        models: [
          { value: "default", displayName: "Default", description: "The model claude-opus-5-5" },
          ...numbers.map((at) => ({ value: `m${at}`, displayName: oneIn("model", at), description: first })),
        ],
        agents: [{ name: first, description: second }],
        output_style: first,
        available_output_styles: [first],
        account: { email: oneIn("account", 1), organization: first, apiKeySource: second, subscriptionType: first },
      },
    },
  },
  {
    subtype: "mcp_status",
    does: {
      body: {
        mcpServers: numbers.map((at) => ({
          name: oneIn("server", at),
          ...(at < 20 ? { error: texts[at], scope: texts[at], transport: texts[at] } : {}),
          status: at === 0 ? first : "failed",
          config: { type: "http", url: at < 20 ? texts[at] : "" },
          tools: at < 20 ? [{ name: texts[at], description: texts[at] }] : [],
        })),
      },
    },
  },
  {
    subtype: "get_context_usage",
    does: {
      body: {
        categories: texts.slice(0, 60).map((name) => ({ name, tokens: 1, kind: "used" })),
        totalTokens: 9,
        maxTokens: 99,
        memoryFiles: texts.map((path) => ({ path, type: second, tokens: 1 })),
        agents: texts.map((agentType) => ({ agentType, source: first, tokens: 1 })),
      },
    },
  },
];

const patch = {
  oldStart: 1,
  oldLines: texts.length,
  newStart: 1,
  newLines: texts.length,
  lines: texts.flatMap((text) => [`-${text}`, `+${text} and more`]).concat(`+${endOf("Edit")}`),
};

const silent = (name: string, input: unknown, gives: string, more = {}) =>
  calls(name, input, gives, { asks: false, ...more });

const hits = texts.map((title) => ({ title, url: title }));
const summed = { role: "user", content: allIn("Compaction") };

/** Every card, with all of the texts in it. Each says at its end where it is. */
const CARDS: Record<string, Block[]> = {
  Thought: turn([thinks(allIn("Thought"))]) as Block[],
  Words: turn([says(allIn("Words"))]) as Block[],
  Command: turn([silent("Bash", { command: first, description: second }, allIn("Command"))]) as Block[],
  Failure: turn([silent("Bash", { command: "false" }, allIn("Failure"), { fails: true })]) as Block[],
  // The state holds eight kilobytes of a command, and there is no way to more of it.
  Long: [
    called("toolu_long", "Bash", { command: `${texts.slice(0, 80).join("\n")}\n${endOf("Long")}`, description: first }),
    gave("toolu_long", ""),
  ],
  Read: turn([silent("Read", { file_path: `/tmp/${first}.ts` }, allIn("Read"))]) as Block[],
  Search: turn([silent("Grep", { pattern: first, path: second }, allIn("Search"))]) as Block[],
  Fetch: turn([silent("WebFetch", { url: "javascript:alert(1)", prompt: first }, allIn("Fetch"))]) as Block[],
  Found: turn([
    silent("WebSearch", { query: first }, "", {
      gives_value: { query: first, results: [{ tool_use_id: "found", content: hits }, allIn("Found")] },
    }),
  ]) as Block[],
  Server: turn([silent(`mcp__${first}__${second}`, { [first]: second }, allIn("Server"))]) as Block[],
  Tool: turn([silent(first, { [first]: [second] }, JSON.stringify({ all: texts, end: endOf("Tool") }))]) as Block[],
  Edit: turn([
    silent("Edit", { file_path: `/tmp/${second}`, old_string: first, new_string: second }, "Done", {
      gives_value: { filePath: `/tmp/${second}`, structuredPatch: [patch], oldString: first, newString: second },
    }),
  ]) as Block[],
  Write: turn([
    silent("Write", { file_path: `/tmp/${second}`, content: allIn("Write") }, "File created", {
      gives_value: {
        type: "create",
        filePath: `/tmp/${second}`,
        content: allIn("Write"),
        structuredPatch: [],
        originalFile: null,
      },
    }),
  ]) as Block[],
  Cell: turn([
    silent("NotebookEdit", { notebook_path: first, new_source: allIn("Cell"), cell_type: "markdown" }, "Done"),
  ]) as Block[],
  Skill: turn([silent("Skill", { skill: first, args: second }, allIn("Skill"))]) as Block[],
  Plan: turn([silent("ExitPlanMode", { plan: allIn("Plan") }, "Approved")]) as Block[],
  Agent: turn([
    silent("Agent", { description: first, subagent_type: second, prompt: allIn("Told") }, "", {
      replies: [{ blocks: [says(allIn("Agent"))] }],
    }),
  ]) as Block[],
  Hook: [
    { system: { subtype: "hook_started", hook_id: "h", hook_name: first, hook_event: "PreToolUse" } },
    {
      system: {
        subtype: "hook_response",
        hook_id: "h",
        hook_name: first,
        hook_event: "PreToolUse",
        output: allIn("Hook"),
        stdout: allIn("Hook"),
        stderr: "",
        exit_code: 1,
        outcome: "error",
      },
    },
  ],
  Notice: [{ system: { subtype: "informational", content: allIn("Notice"), level: "warning" } }],
  Compaction: [
    { system: { subtype: "compact_boundary", compact_metadata: { trigger: "auto", pre_tokens: 100 } } },
    line({ type: "user", isSynthetic: true, isCompactSummary: true, message: summed }),
  ],
  Local: [
    line({
      type: "user",
      isReplay: true,
      message: { role: "user", content: `<local-command-stdout>${allIn("Local")}</local-command-stdout>` },
    }),
  ],
  Unknown: [line({ type: `${first} ${endOf("Unknown")}` }), { system: { subtype: second } }],
  Output: [{ result: { structured_output: { all: texts, end: endOf("Output") } } }],
};

/** What stands in one line of the conversation, each text by itself. */
const LINES: Record<string, (id: string, text: string, at: number) => Block[]> = {
  command: (id, command) => [called(id, "Bash", { command }), gave(id, "")],
  path: (id, text) => [called(id, "Read", { file_path: `/tmp/${text}` }), gave(id, "1")],
  pattern: (id, pattern) => [called(id, "Grep", { pattern }), gave(id, "")],
  address: (id, url) => [called(id, "WebFetch", { url, prompt: url }), gave(id, url)],
  query: (id, query) => [called(id, "WebSearch", { query }), gave(id, "")],
  // One that never ends stays closed, as the others are.
  edit: (id, text) => [called(id, "Edit", { file_path: `/tmp/${text}`, old_string: "a", new_string: "b" })],
  skill: (id, skill) => [called(id, "Skill", { skill }), gave(id, "")],
  agent: (id, description) => [called(id, "Agent", { description, prompt: "Do it" }), gave(id, "")],
  todo: (id, content) => [
    called(id, "TodoWrite", { todos: [{ content, activeForm: content, status: "in_progress" }] }),
    gave(id, ""),
  ],
  unknown: (_, type) => [line({ type })],
};

const lines = Object.entries(LINES).flatMap(([place, made]) =>
  numbers.flatMap((at) => made(`toolu_${place}_${at}`, oneIn(place, at), at)),
);

let deck: Deck | undefined;
let screen: Screen | undefined;

afterEach(async () => {
  await screen?.close();
  await deck?.end();
});

async function begin(...turns: unknown[][]): Promise<[Screen, string, string]> {
  deck = await Deck.start({ on_control, turns });
  screen = await Screen.open(deck.url);
  return [screen, await openSession(screen, deck.work), deck.work];
}

const at = (on: Screen, hash: string): Promise<void> =>
  on.page.evaluate((to) => {
    location.hash = to;
  }, hash);

test(`${texts.length} texts do nothing in any card`, async () => {
  expect(texts.length).toBeGreaterThanOrEqual(isAll ? 200 : 40);
  const [on, id] = await begin([...Object.values(CARDS).flat(), ...turn([says("That was all.")])]);
  const { page } = on;
  await write(on, allIn("Message"));
  await read(on, "That was all.");
  await turnEnds(on);
  const seen = await readRows(on, "That was all.");
  const ends = ["Message", "Told", ...Object.keys(CARDS)].map(endOf);
  expect(ends.filter((end) => !seen.some((text) => text.includes(end)))).toEqual([]);
  for (const tab of ["tasks", "files", "context", "cost", "mcp", "rules", "raw"]) {
    await at(on, `#/s/${id}/${tab}`);
    const pane = page.getByRole("tabpanel");
    await pane.locator("h2, .rec-line").first().waitFor();
    // What the agent is asked for comes a little later.
    await expect.poll(() => pane.getByText(/^Asking/).count()).toBe(0);
    const closed = pane.locator('[aria-expanded="false"]');
    for (let round = 0; round < 12 && (await closed.count()) > 0; round++) await closed.first().click();
    await isInnocent(on);
    if (tab !== "mcp") continue;
    // Names of servers are spoken, so not every sign of them is there; their marks are.
    const named = (text: string) => new Set(text.match(/\(server \d+\)/gi)).size;
    await expect.poll(async () => named(await isInnocent(on))).toBe(texts.length);
  }
  // Where words of sessions stand beside the sessions themselves.
  await at(on, "#/search/alert");
  await page.locator("a.hit").first().waitFor();
  await page.locator(".preview-item").first().waitFor();
  await isInnocent(on);
  await look(on, id);
  await conversation(on).press("Home");
  const mine = conversation(on).locator(".k-user").first();
  await mine.hover();
  await mine.getByRole("button", { name: "Fork from here" }).click();
  await page.getByRole("dialog", { name: "Fork from here" }).waitFor();
  await isInnocent(on);
});

test("nor in any line of the conversation", async () => {
  const [on, id] = await begin([...lines, ...turn([says("That was all.")])]);
  await runTurnsOffScreen(on, id, ["Go on"]);
  await look(on, id);
  await read(on, "That was all.");
  const mine = conversation(on).getByText("Go on", { exact: true });
  await expect
    .poll(() =>
      conversation(on)
        .press("Home")
        .then(() => mine.count()),
    )
    .toBe(1);
  await conversation(on).locator(".fold").click();
  await conversation(on).press("End");
  const below = () => conversation(on).evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
  await expect.poll(below).toBeLessThan(40);
  await button(on, /^Jump to latest/).waitFor({ state: "hidden" });
  // Scroll up through all of them, half a window at a time; earlier rows load on the way.
  const seen: string[] = [];
  const top = () => conversation(on).evaluate((log) => log.scrollTop);
  do {
    seen.push(await isInnocent(on));
    await conversation(on).evaluate(async (log) => {
      // By hand: where the page goes by itself, it stays with its end.
      log.dispatchEvent(new WheelEvent("wheel", { deltaY: -log.clientHeight / 2 }));
      log.scrollTop -= log.clientHeight / 2;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    });
  } while ((await top()) > 0 || (await mine.count()) === 0);
  seen.push(await isInnocent(on));
  const all = seen.join("\n");
  for (const place of Object.keys(LINES)) expect([place, missingIn(place, all)]).toEqual([place, []]);
});

test("nor in what the agent asks", async () => {
  const [on] = await begin([...ASKS, { await: "plan" }]);
  const { page } = on;
  await write(on, "Go on");
  const prompt = page.locator(".ask-slot:not([hidden]) form.ask");
  // All of them are in the page, one is shown.
  await prompt.getByText(`1 of ${ASKS.length}`).waitFor();
  const asked = await isInnocent(on);
  for (const place of ASKED) expect([place, missingIn(place, asked)]).toEqual([place, []]);
  // Names of fields are spoken, so not every sign of them is there; their marks are.
  expect(new Set(asked.match(/\(key \d+\)/gi)).size).toBe(texts.length);
  for (const place of ["plan to approve", "dialog"]) expect(asked).toContain(endOf(place));
  await at(on, "#/inbox");
  await page.locator(".card").first().waitFor();
  await isInnocent(on);
});

test("nor in what waits, in commands, files, names and titles", async () => {
  const [on, id, work] = await begin([{ wait_for: "control_request/interrupt" }]);
  const { page } = on;
  // Titles: in the tab, in the header, in the list.
  for (const slice of sliced(22)) {
    await page.evaluate(
      async ([session, titles]) => {
        for (const title of titles) {
          await fetch(`api/v1/sessions/${session}`, {
            method: "PATCH",
            headers: { "content-type": "application/json", "x-quarterdeck": "1" },
            body: JSON.stringify({ title }),
          });
          const mark = /\(title \d+\)$/.exec(title)?.[0] ?? "";
          while (!document.title.includes(mark)) await new Promise(requestAnimationFrame);
        }
      },
      [id, slice.map((number) => oneIn("title", number))] as const,
    );
    await isInnocent(on);
  }
  await write(on, "Go on");
  await button(on, "Stop the turn").waitFor();
  // What waits in the host.
  await page.evaluate(
    async ([session, all]) => {
      for (const text of all)
        await fetch(`api/v1/sessions/${session}/messages`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-quarterdeck": "1" },
          body: JSON.stringify({ id: crypto.randomUUID(), text, delivery: "afterTurn" }),
        });
    },
    [id, numbers.map((number) => oneIn("chip", number))] as const,
  );
  await button(on, `Drop queued message ${texts.length}`).waitFor();
  expect(missingIn("chip", await isInnocent(on))).toEqual([]);
  // Commands, and files.
  await composer(on).fill("/");
  await page.getByRole("listbox", { name: "Commands" }).waitFor();
  const commands = await isInnocent(on);
  for (const place of ["command", "hint"]) expect([place, missingIn(place, commands)]).toEqual([place, []]);
  for (const text of texts) {
    const file = join(work, `f-${text.slice(0, 200)}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  }
  for (const query of ["alert", "evil", "script", "svg"]) {
    await composer(on).fill(`@${query}`);
    await page
      .getByRole("option", { name: new RegExp(query) })
      .first()
      .waitFor();
    await isInnocent(on);
  }
  await composer(on).fill("");
  // Menus of the header, and the panels.
  await page
    .locator("header.head")
    .getByRole("button", { name: /^Model/ })
    .click();
  await page.getByRole("menu").waitFor();
  expect(missingIn("model", await isInnocent(on))).toEqual([]);
  await page.keyboard.press("Escape");
  for (const panel of ["help", "settings", "settings/devices"]) {
    await at(on, `#/s/${id}/${panel}`);
    await page.getByRole("dialog").getByRole("heading", { level: 2 }).waitFor();
    await isInnocent(on);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
});
