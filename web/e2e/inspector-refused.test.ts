// The inspector with an agent that says little: an older one that does not answer, one that refuses, one that has ended.

import { afterEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { Screen } from "./screen";
import { button, openSession, read, write } from "./session";
import { says, turn } from "./story";

const REPORT = `<local-command-stdout>## Context Usage
**Model:** claude-sonnet-4-5-20250929
**Tokens:** 23.9k / 200k (12%)

| Category | Tokens | Percentage |
|----------|--------|------------|
| System prompt | 3.2k | 1.6% |
| Messages | 20.7k | 10.4% |
| Free space | 176.1k | 88.1% |
</local-command-stdout>`;

const report = {
  line: JSON.stringify({
    type: "user",
    isReplay: true,
    uuid: "5eba7181-9c80-44b2-baf0-985000000001",
    session_id: "s",
    parent_tool_use_id: null,
    message: { role: "user", content: REPORT },
  }),
};

let deck: Deck | undefined;
let screen: Screen | undefined;

afterEach(async () => {
  await screen?.close();
  await deck?.end();
});

async function begin(story: { turns: unknown[][]; [key: string]: unknown }, tab: string): Promise<Screen> {
  deck = await Deck.start(story);
  screen = await Screen.open(deck.url);
  const id = await openSession(screen, deck.work);
  await write(screen, "Begin");
  await read(screen, "I have begun.");
  // Its last words are there before the turn is over, and the end of a turn is when an agent is asked again.
  await button(screen, "Stop the turn").waitFor({ state: "hidden" });
  await screen.page.evaluate(([session, where]) => (location.hash = `#/s/${session}/${where}`), [id, tab]);
  return screen;
}

test("an agent that refuses to tell what fills its context writes its own report", async () => {
  const { page } = await begin(
    {
      on_control: [{ subtype: "get_context_usage", does: { error: "not in this version" } }],
      turns: [turn([says("I have begun.")]), [report]],
    },
    "context",
  );
  await page.getByText(/The agent did not say: .*not in this version/).waitFor();
  await screen?.isGood();
  await page.getByRole("button", { name: "Run /context" }).click();
  await page
    .getByRole("tabpanel")
    .getByRole("row", { name: /^Messages 20\.7/ })
    .waitFor();
  await page
    .getByRole("tabpanel")
    .getByRole("row", { name: /^Free space/ })
    .waitFor();
  await screen?.isGood();
});

test("an agent that does not know the question says nothing, and is not asked again and again", async () => {
  const { page } = await begin(
    {
      on_control: [{ subtype: "get_context_usage", does: "silence" }],
      turns: [turn([says("I have begun.")]), [report]],
    },
    "context",
  );
  await page.getByText("The agent does not answer; older versions do not know the question.").waitFor();
  await screen?.isGood();
  await page.getByRole("button", { name: "Run /context" }).click();
  await page
    .getByRole("tabpanel")
    .getByRole("row", { name: /^Messages 20\.7/ })
    .waitFor();
});

test("an agent that answers late is asked again when its turn has ended", async () => {
  const category = (tokens: number) => ({ categories: [{ name: "Messages", tokens, kind: "used" }] });
  const { page } = await begin(
    {
      on_control: [
        { subtype: "get_context_usage", once: true, does: { after: "user" } },
        { subtype: "get_context_usage", does: { body: category(4321) } },
      ],
      turns: [turn([says("I have begun.")]), turn([says("And gone on.")])],
    },
    "context",
  );
  await page.getByText("The agent does not answer; older versions do not know the question.").waitFor();
  if (screen) await write(screen, "Go on");
  await page
    .getByRole("tabpanel")
    .getByRole("row", { name: /^Messages 4\.3/ })
    .waitFor();
  await screen?.isGood();
});

test("an agent that has ended is started again to say more", async () => {
  const { page } = await begin({ turns: [turn([says("I have begun.")])] }, "mcp");
  await page
    .getByRole("button", { name: /^Actions for/ })
    .last()
    .click();
  await page.getByRole("menuitem", { name: /^End its agent/ }).click();
  await page.getByText("No MCP servers are known of this session.").waitFor();
  await page.evaluate(() => (location.hash = location.hash.replace(/mcp$/, "context")));
  await page.getByRole("button", { name: "Start the agent and run /context" }).waitFor();
  await screen?.isGood();
  await expect.poll(() => page.getByText("The agent is not running: what fills it is not known.").count()).toBe(1);
});
