// A context that fills up: how many turns fit is told when it is known, and another session begins with the summary of this one.

import { expect, test } from "vitest";
import { beginner } from "./bridge";
import { at, button, composer, here, inspect, openSession, read, say, send } from "./session";
import { line, local, says, turn } from "./story";

const begin = beginner();

/** A turn whose context is so large then. */
const filled = (text: string, tokens: number) => [
  { message: { blocks: [says(text)], usage: { input_tokens: tokens, output_tokens: 0, final_output_tokens: 0 } } },
];

const compacted = (trigger: "auto" | "manual", before: number, after: number, summary?: string) => [
  {
    system: {
      subtype: "compact_boundary",
      compact_metadata: { trigger, pre_tokens: before, post_tokens: after },
    },
  },
  ...(summary === undefined
    ? []
    : [line({ type: "user", isReplay: false, isSynthetic: true, message: { role: "user", content: summary } })]),
];

test("how many turns fit is told after a few of them, and held against what came", async () => {
  const { screen, session } = await begin({
    // What the model says that it was sent is all that is known then.
    on_control: [{ subtype: "get_context_usage", does: { error: "Not now" } }],
    turns: [
      filled("One.", 100_000),
      filled("Two.", 110_000),
      filled("Three.", 120_000),
      filled("Four.", 130_000),
      [...compacted("auto", 150_000, 20_000), ...filled("Five.", 30_000)],
    ],
  });
  const pane = await inspect(screen, session, "context");
  const header = screen.page.locator("header.head");
  for (const answer of ["One.", "Two.", "Three."]) await say(screen, answer);
  await pane.getByText("120,000 of 200,000 tokens").waitFor();
  expect(await header.getByText(/left$/).count()).toBe(0);
  expect(await pane.getByText(/a turn\.$/).count()).toBe(0);
  await say(screen, "Four.");
  await pane.getByText(/^About 3 more turns before it compacts, at 10.k tokens a turn\.$/).waitFor();
  await header.getByText("~3 turns left", { exact: true }).waitFor();
  await screen.isGood();
  // It has compacted where nobody thought it would, and that is where it is looked for from now on.
  await say(screen, "Five.");
  await pane
    .getByText(/^More than 10 more turns before it compacts.*The last forecast was off by 2 turns\.$/)
    .waitFor();
  expect(await header.getByText(/left$/).count()).toBe(0);
  await screen.isGood();
});

const SUMMARY =
  "Summary:\n1. The hull leaks below the waterline.\n<system-reminder>\nNot for people.\n</system-reminder>\n2. Tar it.";

test("a full context leads to a session with its summary: made first, or the one that there is", async () => {
  const { deck, screen } = await begin({ turns: [turn([says("Nothing.")])] });
  const { page } = screen;
  deck.tell({
    turns: [
      filled("It is nearly full.", 180_000),
      [...compacted("manual", 180_000, 9000, SUMMARY), local("Compacted")],
      filled("There is room.", 12_000),
    ],
  });
  const start = page.getByRole("dialog", { name: "New session", exact: true });
  const message = start.getByLabel("First message");
  // What somebody had begun to write for another session is not touched by any of this.
  await at(screen, "#/new");
  await message.fill("Later, perhaps");
  await page.keyboard.press("Escape");
  await start.waitFor({ state: "detached" });
  const session = await openSession(screen, deck.work, { model: "opus", effort: "high", title: "Hull" });
  await say(screen, "It is nearly full.");
  await button(screen, "New from summary").click();
  const dialog = page.getByRole("dialog", { name: "New session from a summary" });
  await dialog.getByText(/^There is no summary of this conversation yet\./).waitFor();
  expect(await dialog.getByRole("button", { name: "Use this summary" }).count()).toBe(0);
  await screen.isGood();
  deck.tell({ turns: [turn([says("I know what to do.")])] });
  await dialog.getByRole("button", { name: "Compact first" }).click();
  // Nobody has to press anything more.
  await start.waitFor();
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() => message.inputValue())
    .toBe(
      "Go on from the summary of an earlier session, “Hull”:\n\nSummary:\n1. The hull leaks below the waterline.\n2. Tar it.\n",
    );
  await expect.poll(() => start.getByRole("combobox", { name: "Folder" }).inputValue()).toBe(deck.work);
  await expect.poll(() => start.getByLabel("Model").inputValue()).toBe("opus");
  await expect.poll(() => start.getByLabel("Effort").inputValue()).toBe("high");
  await screen.isGood();
  await start.getByRole("button", { name: "Start session" }).click();
  await start.waitFor({ state: "detached" });
  await read(screen, "I know what to do.");
  expect(here(screen)).not.toBe(session);
  await read(screen, /The hull leaks below the waterline/);
  expect(deck.agents().filter((argv) => argv.join(" ").includes("--model opus --effort high"))).toHaveLength(2);
  await at(screen, "#/new");
  await expect.poll(() => message.inputValue()).toBe("Later, perhaps");
  await page.keyboard.press("Escape");
  await start.waitFor({ state: "detached" });

  // The one that there is: how much is not in it is said.
  const pane = await inspect(screen, session, "context");
  await send(page, session, "Go on");
  await read(screen, "There is room.");
  await pane.getByRole("button", { name: "New from summary" }).click();
  await dialog.getByText(/1 turn since then is not in it\.$/).waitFor();
  await dialog.getByRole("button", { name: "Compact first" }).waitFor();
  await screen.isGood();
  await dialog.getByRole("button", { name: "Use this summary" }).click();
  await start.waitFor();
  await expect.poll(() => message.inputValue()).toContain("2. Tar it.");
  await page.keyboard.press("Escape");
  await start.waitFor({ state: "detached" });
  await composer(screen).waitFor();
  expect(here(screen)).toBe(session);
});
