// Every kind of card in the conversation, opened: what it says, and that nothing on it stands in anybody's way, in light and dark.

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Deck } from "./deck";
import { Screen } from "./screen";
import { button, choose, conversation, openSession, openSteps, read, write } from "./session";
import { called, calls, gave, line, says, thinks, turn } from "./story";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const many = (words: string, count: number) => Array.from({ length: count }, (_, at) => `${words}${at + 1}`).join("\n");
const silent = (name: string, input: unknown, gives: string, more = {}) =>
  calls(name, input, gives, { asks: false, ...more });

const hook = { hook_id: "h", hook_name: "PreToolUse:Bash", hook_event: "PreToolUse" };
const LINKS = [
  { title: "The tide table", url: "https://tides.example/table" },
  { title: "Not a page", url: "javascript:void(0)" },
];

const EVERYTHING = [
  ...turn(
    [thinks("What is there to see?"), says("I look at everything.")],
    [silent("Bash", { command: "cargo test", description: "Run the tests" }, "\u001b[1;32mok\u001b[0m 12 passed")],
    [silent("Bash", { command: "make sail" }, "Exit code 3\n\u001b[31mtorn\u001b[0m", { fails: true })],
    [silent("Bash", { command: "seq 40" }, many("line ", 40))],
    [silent("Bash", { command: "yes" }, many("a very long line of output, number ", 900))],
    [silent("Read", { file_path: "/project/src/main.rs" }, "1\tfn main() {}\n2\t")],
    [silent("Grep", { pattern: "let x", path: "src" }, many("src/main.rs:7:let x = ", 30))],
    [
      silent("WebSearch", { query: "tides" }, "", {
        gives_value: { query: "tides", results: [{ tool_use_id: "w", content: LINKS }, "The tide *turns* at noon."] },
      }),
    ],
    [silent("WebFetch", { url: "https://tides.example/", prompt: "When?" }, "At **noon**.")],
    [silent("mcp__harbour__find_berth", { length: 12 }, '{"berth":{"number":7},"free":[1,2]}')],
    [silent("Frobnicate", { how: "gently" }, '{"done":true,"parts":[{"name":"keel"}]}')],
    [silent("Skill", { skill: "knots", args: "bowline" }, "A *bowline* holds.")],
    [
      silent(
        "TodoWrite",
        {
          todos: [
            { content: "Sail", activeForm: "Sailing", status: "in_progress" },
            { content: "Rest", activeForm: "Resting", status: "pending" },
          ],
        },
        "",
      ),
    ],
    [
      silent("Agent", { description: "Look for land", subagent_type: "lookout", prompt: "Is there land?" }, "", {
        replies: [{ blocks: [silent("Bash", { command: "ls horizon" }, "nothing")] }, { blocks: [says("No land.")] }],
      }),
    ],
  ),
  called("toolu_picture", "Read", { file_path: "/project/sea.png" }),
  gave("toolu_picture", [{ type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } }]),
  { system: { subtype: "hook_started", ...hook } },
  { system: { subtype: "hook_response", ...hook, output: "No sailing today", exit_code: 2, outcome: "error" } },
  { system: { subtype: "informational", content: "The wind has turned", level: "warning" } },
  line({ type: "flare", colour: "red" }),
  {
    system: {
      subtype: "compact_boundary",
      compact_metadata: { trigger: "auto", pre_tokens: 155_000, post_tokens: 9000 },
    },
  },
  line({
    type: "user",
    isSynthetic: true,
    isCompactSummary: true,
    message: { role: "user", content: "We sailed *north*." },
  }),
  { result: { permission_denials: [{ tool_name: "Bash", tool_use_id: "toolu_no", tool_input: { command: "sink" } }] } },
  ...turn([says("That was everything.")]),
];

const lookout = {
  task_id: "a1",
  run_id: "run-a1",
  tool_use_id: "toolu_lane",
  description: "Watch the sea",
  subagent_type: "lookout",
  is_backgrounded: false,
  task_type: "local_agent",
};

let deck: Deck;
let screen: Screen;

beforeAll(async () => {
  deck = await Deck.start({
    turns: [
      EVERYTHING,
      [
        {
          system: {
            subtype: "api_retry",
            attempt: 2,
            max_retries: 10,
            retry_delay_ms: 600_000,
            error_status: 529,
            error: "overloaded",
          },
        },
        { wait_for: "control_request/set_model" },
        called("toolu_lane", "Agent", { description: "Watch the sea", subagent_type: "lookout", prompt: "Watch." }),
        { system: { subtype: "task_started", ...lookout } },
        { wait_for: "control_request/stop_task" },
        gave("toolu_lane", "Stopped"),
        { result: { subtype: "error_max_turns", is_error: true } },
      ],
    ],
  });
  // So high that every card is drawn at once.
  screen = await Screen.open(deck.url, { height: 9000 });
  await openSession(screen, deck.work);
});

afterAll(async () => {
  await screen.close();
  await deck.end();
});

const row = (words: string | RegExp): Locator => conversation(screen).locator("[data-key]", { hasText: words }).first();

/** The row of a step, opened. */
async function opened(words: string | RegExp): Promise<Locator> {
  const step = row(words);
  const toggle = step.locator("[data-toggle]").first();
  if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  return step;
}

async function isGoodInBothLooks(): Promise<void> {
  await screen.isGood();
  await screen.page.emulateMedia({ colorScheme: "dark" });
  await screen.isGood();
  await screen.page.emulateMedia({ colorScheme: "light" });
}

test("each card says what it is about", async () => {
  await write(screen, "Show me everything");
  await read(screen, "That was everything.");
  await row(/1 denied/).waitFor();
  await openSteps(screen);
  await (await opened("Thought")).getByText("What is there to see?").waitFor();

  // Terminals: colours, what went wrong, how much there is more.
  const good = await opened("cargo test");
  await good.getByText("Run the tests").waitFor();
  const ok = good.locator("pre span", { hasText: /^ok$/ });
  expect(await ok.evaluate((word) => getComputedStyle(word).color)).not.toBe(
    await good.locator("pre").evaluate((all) => getComputedStyle(all).color),
  );
  expect(await ok.evaluate((word) => Number(getComputedStyle(word).fontWeight))).toBeGreaterThan(400);
  const torn = row("make sail");
  await torn.getByText("exit 3", { exact: true }).waitFor();
  await torn.locator("pre", { hasText: "torn" }).first().waitFor();
  const long = await opened("seq 40");
  await long.getByText("line 40", { exact: false }).waitFor();
  expect(await long.locator("pre").textContent()).not.toContain("line 1\n");
  await long.getByRole("button", { name: "28 earlier lines" }).click();
  await expect.poll(() => long.locator("pre").textContent()).toContain("line 1\n");
  const huge = await opened("yes");
  await huge.getByRole("button", { name: /^Show all/ }).click();
  await huge.getByText(/number 900/).waitFor();
  expect(await huge.getByRole("button", { name: /^Show all/ }).count()).toBe(0);

  const file = await opened("src/main.rs");
  await file.getByText("fn main() {}").first().waitFor();
  const search = await opened("let x");
  await search.getByText("in src", { exact: true }).waitFor();
  await search.getByRole("button", { name: "14 more lines" }).click();
  expect((await search.locator("pre").textContent())?.split("src/main.rs:7:").length).toBe(31);

  // The web: links that lead away safely, and what is none is a text.
  const found = await opened("tides");
  const link = found.getByRole("link", { name: "The tide table" });
  await expect.poll(() => link.getAttribute("href")).toBe("https://tides.example/table");
  await expect.poll(() => link.getAttribute("rel")).toBe("noopener noreferrer");
  await expect.poll(() => found.getByRole("link").count()).toBe(1);
  await found.locator("em", { hasText: "turns" }).waitFor();
  const fetched = await opened("https://tides.example/");
  await fetched.getByRole("link").waitFor();
  await fetched.locator("strong", { hasText: "noon" }).waitFor();

  // What we have no picture of is a tree.
  const server = await opened("Find berth");
  await server.locator("[title=mcp__harbour__find_berth]").waitFor();
  await server.locator(".json", { hasText: "number: 7" }).waitFor();
  const other = await opened("Frobnicate");
  await other.locator(".json", { hasText: "gently" }).waitFor();
  await other.locator(".json-fold", { hasText: "parts" }).waitFor();
  await (await opened("knots")).locator("em", { hasText: "bowline" }).waitFor();
  await (await opened("0 of 2 done")).getByText("Rest").waitFor();
  const lane = await opened("Look for land");
  await lane.getByText("Is there land?").waitFor();
  await lane.getByText("No land.").first().waitFor();

  await (await opened("sea.png")).locator(".thumb img").waitFor();
  const hooked = row("PreToolUse:Bash");
  await hooked.getByText("exit 2", { exact: true }).waitFor();
  await hooked.getByText("No sailing today").waitFor();
  await read(screen, "The wind has turned");
  const flare = row("Unknown message");
  await flare.getByText("flare").waitFor();
  const compaction = row("Context compacted by itself");
  await compaction.getByRole("button", { name: "Show summary" }).click();
  await compaction.locator("em", { hasText: "north" }).waitFor();
  await isGoodInBothLooks();
  await flare.getByRole("button", { name: "Show raw", exact: true }).click();
  await screen.page.getByRole("tabpanel").getByText('"red"').first().waitFor();
});

test("the model is tried again, an agent is stopped in its lane, and the turn says that it came to its limit", async () => {
  await write(screen, "And now");
  await screen.page.getByText(/try 2 of 10, again in \d/).waitFor();
  await screen.isGood();
  await choose(screen, /^Model/, /^Haiku/);
  const lane = row("Watch the sea");
  await lane.getByText("Running", { exact: true }).waitFor();
  await isGoodInBothLooks();
  await lane.getByRole("button", { name: "Stop Watch the sea" }).click();
  await read(screen, "Stopped: the limit of turns was reached");
  expect(await button(screen, "Stop Watch the sea").count()).toBe(0);
  await screen.isGood();
});
