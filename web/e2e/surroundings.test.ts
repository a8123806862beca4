// What surrounds a conversation: a context that is nearly full and is compacted, servers that connect, a job and its command,
// what Escape leaves, where dialogs stand, and what a command without a word opens.

import { expect, test } from "vitest";
import { beginner } from "./bridge";
import { button, composer, inspect, say, write } from "./session";
import { calls, local, says, turn } from "./story";

const begin = beginner();

const parts = (messages: number) => ({
  categories: [{ id: "messages", name: "Messages", tokens: messages, kind: "used" }],
  totalTokens: messages,
  maxTokens: 200_000,
  rawMaxTokens: 200_000,
});

/** What `/compact` writes: a mark, and its words. No turn is counted. */
const compacted = [
  {
    system: {
      subtype: "compact_boundary",
      compact_metadata: { trigger: "manual", pre_tokens: 182_000, post_tokens: 9000 },
    },
  },
  local("Compacted"),
];

test("a context that is nearly full is compacted from the header, and what fills it is asked again", async () => {
  const { screen, session } = await begin({
    on_control: [
      { subtype: "get_context_usage", does: { body: parts(182_000) }, once: true },
      { subtype: "get_context_usage", does: { body: parts(9000) } },
      { subtype: "mcp_status", does: { body: { mcpServers: [{ name: "slow", status: "pending" }] } }, once: true },
      { subtype: "mcp_status", does: { body: { mcpServers: [{ name: "slow", status: "connected" }] } } },
    ],
    turns: [turn([says("It is nearly full.")]), compacted],
  });
  const { page } = screen;
  await say(screen, "It is nearly full.");
  const pane = await inspect(screen, session, "context");
  await pane.getByRole("row", { name: /^Messages 182/ }).waitFor();
  const compact = page.locator("header.head").getByRole("button", { name: "Compact", exact: true });
  await compact.waitFor();
  await screen.isGood();
  await compact.click();
  await pane.getByRole("row", { name: /^Messages 9/ }).waitFor();
  await compact.waitFor({ state: "detached" });
  // A command alone opens what the page has for it; the agent would only write how it is used.
  await write(screen, "/mcp");
  await page.getByRole("tab", { name: "MCP", selected: true }).waitFor();
  const servers = page.getByRole("tabpanel", { name: "MCP" });
  // It is looked again while one waits for a server.
  await servers.getByText("Connected", { exact: true }).waitFor();
  await write(screen, "/model");
  const settings = page.getByRole("dialog", { name: "Settings of this session" });
  await settings.waitFor();
  const box = await settings.boundingBox();
  if (box === null) throw new Error("it is not seen");
  expect(Math.abs(box.y + box.height / 2 - 450), "it stands in the middle").toBeLessThan(2);
  await page.keyboard.press("Escape");
  await settings.waitFor({ state: "detached" });
});

test("a job says what it is for and which command it is; Escape empties a field before it leaves", async () => {
  const { screen, session } = await begin({
    turns: [
      turn(
        [
          calls("Bash", { command: "sleep 600", description: "Long job", run_in_background: true }, "started", {
            asks: false,
            until: "control_request/stop_task",
          }),
        ],
        [says("It runs.")],
      ),
    ],
  });
  const { page } = screen;
  // A session that was gone to has no key of its own yet: the first one renames nothing.
  expect(await page.locator(".title-button").evaluate((title) => title === document.activeElement)).toBe(false);
  await say(screen, "It runs.");
  const jobs = (await inspect(screen, session, "tasks")).getByRole("region", { name: "Background" });
  await jobs.getByText("Long job", { exact: true }).waitFor();
  await expect.poll(() => jobs.locator("code").allTextContents()).toEqual(["sleep 600"]);
  await screen.isGood();
  await page.setViewportSize({ width: 900, height: 900 });
  const find = (await inspect(screen, session, "raw")).getByRole("searchbox");
  await find.fill("sleep");
  await find.press("Escape");
  expect(await find.inputValue()).toBe("");
  await find.press("Escape");
  await find.waitFor({ state: "detached" });
  await composer(screen).waitFor();
  await button(screen, "Open inspector").waitFor();
});
