// A session is started with every option that there is, and a preset keeps them.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { at, button, here, linesOf } from "./session";
import { story } from "./sessions.story";

const bridge = bridgeForEach(story);

test("a new session with every option, and a preset that keeps them", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const more = join(deck.work, "lib");
  const servers = join(deck.work, "servers.json");
  mkdirSync(more);
  writeFileSync(servers, JSON.stringify({ mcpServers: { filed: { command: "filed" } } }));
  await at(screen, "#/new");
  const dialog = page.getByRole("dialog", { name: "New session" });
  const fill = (name: string, value: string) => dialog.getByLabel(name, { exact: true }).fill(value);
  await fill("First message", "Run the tests");
  await dialog.getByLabel("Model").selectOption("opus");
  await dialog.getByLabel("Effort").selectOption("high");
  await fill("Stop at", "2.50");
  await dialog.getByRole("radio", { name: "Accept edits" }).click();
  await dialog.getByRole("button", { name: /More options/ }).click();
  // What the server finds wrong stands at its field, before anything is started.
  await fill("Allowed without asking", "-x");
  await dialog.getByText(/is no rule/).waitFor();
  await fill("Allowed without asking", "Bash(git *)\nRead");
  await dialog.getByText(/is no rule/).waitFor({ state: "detached" });
  await fill("Title", "With options");
  await fill("Rounds in a turn, at most", "20");
  await fill("Models to fall back to", "sonnet\nhaiku");
  await fill("More folders that it may work in", more);
  await fill("Forbidden", "WebFetch");
  await fill("Only these built-in tools", "Bash\nRead");
  await fill("Added to the system prompt", "Speak briefly.");
  await fill("Instead of the system prompt", "You are a tester.");
  await fill("Agent that leads", "tester");
  await fill("Subagents of this session", '{"tester": {"description": "Tests", "prompt": "Test it"}}');
  await fill("Files with MCP servers", servers);
  await fill("MCP servers", '{"mcpServers": {"typed": {"command": "typed"}}}');
  await dialog.getByLabel("Only these MCP servers, none of your own").check();
  await dialog.getByLabel("Yours for the project").uncheck();
  await fill("More settings, on top of those", '{"env": {"MAX_THINKING_TOKENS": "8000"}}');
  // Texts and JSON are no words of a command line: they go by a file of the session's own, or with the first request.
  const wanted = [
    "--model opus --fallback-model sonnet,haiku --effort high --max-turns 20 --max-budget-usd 2.5",
    "--permission-mode acceptEdits --tools Bash,Read --allowedTools Bash(git *),Read --disallowedTools WebFetch",
    `--add-dir ${more}`,
    "--name With options",
    `--mcp-config OWN/mcp.json --mcp-config ${servers} --strict-mcp-config`,
    "--settings OWN/settings.json --setting-sources user,project --agent tester",
  ];
  const plain = (words: string) => words.replaceAll("'", "").replace(/\S+(?=\/(mcp|settings)\.json)/g, "OWN");
  const line = () => dialog.locator(".command-line code").textContent();
  await expect.poll(async () => plain((await line()) ?? "")).toBe(`scripted-agent ${wanted.join(" ")}`);
  await screen.isGood();
  await dialog.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: /Keep this/ }).click();
  await dialog.getByLabel("Name of the preset").fill("Careful");
  await dialog.getByRole("button", { name: "Keep", exact: true }).click();
  await dialog.getByLabel("Name of the preset").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Start session" }).click();
  await button(screen, /^Allow once/).waitFor();
  const [argv = [], ...others] = deck.agents();
  expect(others).toEqual([]);
  for (const part of wanted) expect(plain(argv.join(" "))).toContain(part);
  const given = (name: string) => JSON.parse(readFileSync(argv.find((word) => word.endsWith(name)) ?? "", "utf8"));
  expect(given("/mcp.json")).toMatchObject({ mcpServers: { typed: { command: "typed" } } });
  expect(given("/settings.json")).toMatchObject({ env: { MAX_THINKING_TOKENS: "8000" } });
  const [first] = await linesOf<{ request: unknown }>(screen, here(screen), "control_request", "stdin");
  expect(first?.request).toMatchObject({
    subtype: "initialize",
    systemPrompt: "You are a tester.",
    appendSystemPrompt: "Speak briefly.",
    agents: { tester: { description: "Tests", prompt: "Test it" } },
  });
  // The preset fills an empty form.
  await page.evaluate(() => localStorage.removeItem("quarterdeck.new"));
  await at(screen, "#/new");
  await dialog.getByLabel("First message").waitFor();
  await expect.poll(() => dialog.getByLabel("Model").inputValue()).toBe("");
  await dialog.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: /^Careful/ }).click();
  await expect.poll(() => dialog.getByLabel("Model").inputValue()).toBe("opus");
  await expect.poll(async () => plain((await line()) ?? "")).toBe(`scripted-agent ${wanted.join(" ")}`);
  // Renamed, then deleted.
  await dialog.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: /Rename or delete/ }).click();
  await dialog.getByLabel("Name of the preset Careful").fill("Bold");
  await dialog.getByLabel("Name of the preset Careful").press("Enter");
  await dialog.getByLabel("Name of the preset Bold").waitFor();
  await dialog.getByRole("button", { name: "Delete Bold" }).click();
  await dialog.getByRole("button", { name: "Delete Bold for good" }).click();
  await dialog.getByText("No presets are kept.").waitFor();
  await screen.isGood();
});
