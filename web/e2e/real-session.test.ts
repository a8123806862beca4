// What surrounds the conversation, with the real CLI, offline, in an old version and the newest: model and mode, the figures of the
// header against the CLI's own, tasks, an MCP server, hooks, and sessions that are forked, resumed, renamed, archived and taken from
// a terminal.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { count, dollars } from "../src/view/words";
import { realBridge } from "./bridge";
import type { Screen } from "./screen";
import { button, choose, conversation, inspect, linesOf, openSession, openSteps, read, write } from "./session";
import { NEWEST_UNLESS_ALL, type Reply, reply, VERSIONS } from "./stage";
import { type Block, calls, says } from "./story";

describe.each(NEWEST_UNLESS_ALL)("with %s", (version) => {
  const bridge = realBridge(version);
  const isOld = version === VERSIONS[0];

  test("another model answers from now on, and another mode asks no more", async () => {
    const { screen, stage } = bridge;
    const path = join(stage.project, "note.txt");
    const note = calls("Write", { file_path: path, content: "noted\n" });
    await stage.tell(reply(says("One.")), reply(says("Two.")), reply(note), reply(says("Three.")));
    await openSession(screen, stage.project);
    await write(screen, "First");
    await read(screen, "One.");
    await choose(screen, /^Model:/, /^Haiku/);
    await screen.page
      .locator("header.head")
      .getByRole("button", { name: /^Model: Haiku/ })
      .waitFor();
    await write(screen, "Second");
    await read(screen, "Two.");
    const [before, after] = await stage.asked();
    expect(before?.model).not.toMatch(/haiku/);
    expect(after?.model).toMatch(/haiku/);
    await choose(screen, /^Permissions:/, /^Accept edits/);
    await button(screen, /^Permissions: Accept edits/).waitFor();
    await write(screen, "Note it");
    await read(screen, "Three.");
    expect(readFileSync(path, "utf8")).toBe("noted\n");
    await screen.isGood();
  });

  test("a budget ends the turn that is over it, and who pays is said", async () => {
    const { screen, stage } = bridge;
    const path = join(stage.project, "ledger.txt");
    writeFileSync(path, "Nothing is owed.\n");
    const usage = { input_tokens: 4000, output_tokens: 1, final_output_tokens: 20_000 };
    await stage.tell({ ...reply(calls("Read", { file_path: path })), usage }, reply(says("It goes on.")));
    const id = await openSession(screen, stage.project, { maxBudgetUsd: 0.01 });
    await write(screen, "Read it");
    await read(screen, "Stopped: the budget was used up");
    type Result = { subtype: string };
    expect((await linesOf<Result>(screen, id, "result")).map(({ subtype }) => subtype)).toEqual([
      "error_max_budget_usd",
    ]);
    await screen.page
      .locator("header.head")
      .getByRole("button", { name: /API key/ })
      .click();
    const facts = screen.page.locator(".facts");
    await facts.getByText("ANTHROPIC_API_KEY").waitFor();
    await facts.getByText(version).waitFor();
    await facts.getByText(stage.project).waitFor();
    await screen.isGood();
    await screen.page.keyboard.press("Escape");
  });

  test("the cost is the one that the CLI reports", async () => {
    const { screen, stage } = bridge;
    const usage = { input_tokens: 4000, output_tokens: 1, final_output_tokens: 20_000 };
    await stage.tell({ ...reply(says("One.")), usage }, { ...reply(says("Two.")), usage });
    const id = await openSession(screen, stage.project);
    await write(screen, "First");
    await read(screen, "One.");
    await write(screen, "Second");
    await read(screen, "Two.");
    const cost = button(screen, /^Cost/);
    type Result = { total_cost_usd: number };
    await expect.poll(() => linesOf<Result>(screen, id, "result")).toHaveLength(2);
    const results = await linesOf<Result>(screen, id, "result");
    const [first = 0, total = 0] = results.map(({ total_cost_usd }) => total_cost_usd);
    expect(first).toBeGreaterThan(0);
    expect(total).toBeGreaterThan(first);
    await expect
      .poll(() => cost.textContent())
      .toBe(`Cost ${dollars(total)}last turn +${dollars(total - first).slice(1)}`);
    const pane = await inspect(screen, id, "cost");
    await expect.poll(() => pane.locator(".pane-figure strong").textContent()).toBe(dollars(total));
    const turns = pane.getByRole("region", { name: "By turn" }).locator(".pane-fold-meta");
    // They are rounded so that they add up to the sum above them: each may be a cent off, all together are not.
    const shown = (await turns.allTextContents()).map((text) => Number(text.slice(1)));
    expect(shown.map((usd, at) => Math.abs(usd - ([total - first, first][at] ?? 0)) < 0.01)).toEqual([true, true]);
    expect((shown[0] ?? 0) + (shown[1] ?? 0)).toBeCloseTo(Number(dollars(total).slice(1)), 8);
    await screen.isGood();
    // And it is what the CLI says to who asks it. In the newest, the name is one of several of a command: the space chooses it.
    await write(screen, "/cost ");
    await read(screen, new RegExp(`${isOld ? "Total" : "Estimated"} cost:\\s+\\$${total.toFixed(2)}`));
    await screen.isGood();
  });

  test("the gauge has what the CLI says of its context", async () => {
    const { screen, stage } = bridge;
    const usage = { input_tokens: 12, cache_creation_input_tokens: 11_500, cache_read_input_tokens: 29_000 };
    await stage.tell({ ...reply(says("First.")), usage });
    const id = await openSession(screen, stage.project);
    await write(screen, "Hello");
    await read(screen, "First.");
    await write(screen, "/context");
    await read(screen, /Tokens:/);
    const said = await conversation(screen).textContent();
    const told = /Tokens:\W*([\d.]+k?)\s*\/\s*([\d.]+[kM]?)\s*\((\d+)%\)/i.exec(said ?? "");
    expect(told, said ?? "").not.toBeNull();
    const gauge = screen.page.locator("header.head").getByRole("button", { name: /^Context/ });
    await expect.poll(async () => parseInt((await gauge.textContent()) ?? "", 10)).toBe(Number(told?.[3]));
    const pane = await inspect(screen, id, "context");
    // As the report that it wrote has it; or as it answers who asks now, when the report itself may count as well.
    const figures = async () => {
      const words = (await pane.locator(".pane-figure .num").textContent()) ?? "";
      return (words.match(/[\d,]+/g) ?? []).map((figure) => Number(figure.replaceAll(",", "")));
    };
    const used = async () => (isOld ? 40_500 : (await answered(screen, id))?.totalTokens);
    await expect.poll(async () => (await figures())[0] === (await used())).toBe(true);
    expect((await figures())[1]).toBe(tokens(told?.[2] ?? ""));
    // Part by part: as the report that it wrote has them, or as it answers who asks now, a report later.
    await conversation(screen).locator("table").first().waitFor();
    const report = await cellsOf(conversation(screen).locator("table").first());
    const asWritten = report.map(([name = "", used = ""]) => ({ name, tokens: tokens(used) }));
    const partsOf = async () => (isOld ? asWritten : ((await answered(screen, id))?.categories ?? []));
    await expect
      .poll(async () => (await partsOf()).map(({ name }) => name).sort())
      .toEqual(asWritten.map(({ name }) => name).sort());
    const parts = async () =>
      (await partsOf()).map(({ name, tokens }) => [name.replace(" (deferred)", " · not loaded"), count(tokens)]);
    const shown = async () => (await cellsOf(pane.locator("table"))).map(([name, , used]) => [name, used]);
    await expect
      .poll(async () => JSON.stringify((await shown()).sort()) === JSON.stringify((await parts()).sort()))
      .toBe(true);
    // The older one leaves questions that it does not know without an answer, and has an end to being asked all the same.
    await pane.getByText("Asking the agent").waitFor({ state: "detached" });
    await screen.isGood();
  });

  test("tasks that the agent makes are shown as they are changed, while one looks", async () => {
    const { screen, stage } = bridge;
    const [made, ...changes] = isOld ? todoList() : taskTools();
    await stage.tell(...made, ...changes, reply(says("Planned.")));
    // The newest model has these tools taken from it.
    const id = await openSession(screen, stage.project, { model: "claude-sonnet-4-5-20250929" });
    const pane = await inspect(screen, id, "tasks");
    await write(screen, "Plan it");
    // The model stands still in the middle of each next step, so that each state is one that stays.
    await pane.getByRole("heading", { name: "0 of 2 done" }).waitFor();
    const tasks = pane.getByRole("region", { name: "Tasks" }).getByRole("listitem");
    await tasks.filter({ hasText: "Fix the login" }).waitFor();
    if (!isOld) await tasks.filter({ hasText: "Waits for 1" }).waitFor();
    expect(await pane.getByText("Fixing the login").count()).toBe(0);
    await stage.release("begin");
    await tasks.filter({ hasText: "Fixing the login" }).waitFor();
    await pane.getByRole("heading", { name: "0 of 2 done" }).waitFor();
    await screen.isGood();
    await stage.release("end");
    await pane.getByRole("heading", { name: "1 of 2 done" }).waitFor();
    await tasks.filter({ hasText: "Running the tests" }).waitFor();
    expect(await pane.getByText(/Waits for/).count()).toBe(0);
    await read(screen, "Planned.");
    expect(await conversation(screen).getByText("Failed").count()).toBe(0);
    await openSteps(screen);
    const list = conversation(screen).getByRole("button", { name: /^Tasks/ });
    if (isOld) await list.last().click();
    await read(screen, /Fix(ing)? the login/);
    await read(screen, /Run(ning)? the tests/);
    await screen.isGood();
  });

  test("tools of a real MCP server are asked for by name, and used", async () => {
    const { screen, stage } = bridge;
    await stage.tell(reply(calls("mcp__lab__add", { a: 2, b: 3 })), reply(says("Five.")));
    // One from a file, as it is kept beside a project, and one that was typed in.
    const file = join(stage.project, "servers.json");
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { lab: { type: "stdio", command: "node", args: [stage.mcpServer] } } }),
    );
    const id = await openSession(screen, stage.project, {
      mcpFiles: [file],
      mcpServers: { broken: { type: "stdio", command: "/nonexistent/server", args: [] } },
    });
    await write(screen, "Add them");
    await screen.page.getByRole("heading", { name: "Let Lab do “Add”?" }).waitFor();
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await read(screen, "Five.");
    expect(await stage.lastRead()).toContain('{\\"sum\\":5}');
    await openSteps(screen);
    await read(screen, "Lab › Add");
    const pane = await inspect(screen, id, "mcp");
    const lab = pane.getByRole("listitem").filter({ has: screen.page.getByRole("heading", { name: "Lab" }) });
    await lab.getByText("Connected", { exact: true }).waitFor();
    await lab.getByRole("button", { name: "3 tools" }).click();
    await lab.getByText("Boom", { exact: true }).waitFor();
    await pane
      .getByText(/ENOENT/)
      .first()
      .waitFor();
    await screen.isGood();
    await lab.getByRole("switch", { name: "Lab is used" }).click();
    await lab.getByText("Switched off", { exact: true }).waitFor();
    await lab.getByRole("switch", { name: "Lab is used" }).click();
    await lab.getByText("Connected", { exact: true }).waitFor();
    await screen.isGood();
  });

  test("a fork knows what was said before, and leaves the first one alone", async () => {
    const { screen, stage } = bridge;
    await stage.tell(reply(says("Blue, then.")), reply(says("You said blue.")));
    const id = await openSession(screen, stage.project);
    await write(screen, "My favourite is blue");
    await read(screen, "Blue, then.");
    await choose(screen, /^Actions for/, /^Fork/);
    await expect.poll(() => screen.page.url()).not.toContain(id);
    await read(screen, "Blue, then.");
    await write(screen, "What did I say?");
    await read(screen, "You said blue.");
    expect(await stage.lastRead()).toContain("My favourite is blue");
    await screen.isGood();
    await screen.page.goBack();
    await expect.poll(() => screen.page.url()).toContain(id);
    await read(screen, "Blue, then.");
    expect(await conversation(screen).getByText("You said blue.").count()).toBe(0);
  });

  test("an agent that was ended goes on with the next message", async () => {
    const { screen, stage } = bridge;
    await stage.tell(reply(says("I keep it in mind.")), reply(says("It was 42.")));
    await openSession(screen, stage.project);
    await write(screen, "The number is 42");
    await read(screen, "I keep it in mind.");
    await choose(screen, /^Actions for/, /^End its agent/);
    await screen.page.getByText("Asleep", { exact: true }).waitFor();
    await screen.isGood();
    await write(screen, "Which number?");
    await read(screen, "It was 42.");
    expect(await stage.lastRead()).toContain("The number is 42");
    await screen.isGood();
  });

  test("a session gets another name, and goes to the archive", async () => {
    const { screen, stage } = bridge;
    const name = `Named by hand, ${version}`;
    await stage.tell(reply(says("Fine.")));
    await openSession(screen, stage.project);
    await write(screen, "Hello");
    await read(screen, "Fine.");
    await screen.page.getByRole("heading", { level: 1 }).getByRole("button").click();
    await screen.page.getByLabel("Title of the session").fill(name);
    const kept = screen.page.waitForResponse(
      (answer) => answer.request().postData()?.includes(name) === true && answer.ok(),
    );
    await screen.page.keyboard.press("Enter");
    await screen.page.getByRole("heading", { name, level: 1 }).waitFor();
    const row = screen.page.locator(".srow", { hasText: name });
    await row.waitFor();
    await kept;
    await screen.page.reload();
    await row.waitFor();
    await choose(screen, /^Actions for/, /^Archive/);
    await row.waitFor({ state: "detached" });
    await screen.isGood();
  });

  test("a session of a terminal appears by itself, is read and gone on with", async () => {
    const { screen, stage } = bridge;
    const { page } = screen;
    const prompt = `Remember the word kumquat, says ${version}`;
    await stage.tell(reply(says("Kumquat is noted.")), reply(says("It was kumquat.")));
    await page.evaluate(() => {
      location.hash = "#/";
    });
    const terminals = page.getByRole("region", { name: "In a terminal" });
    expect(await terminals.getByText(prompt).count()).toBe(0);
    expect(await stage.inTerminal("-p", prompt)).toContain("Kumquat is noted.");
    // The page was there before: nobody loads it again.
    const row = terminals.getByRole("button", { name: prompt });
    await row.waitFor();
    await screen.isGood();
    if (isOld) {
      await row.click();
    } else {
      await page.evaluate(() => {
        location.hash = "#/new/resume";
      });
      const choice = page.getByRole("dialog").getByRole("button", { name: /Remember the word kumquat/ });
      await choice.waitFor();
      await screen.isGood();
      await choice.click();
    }
    await read(screen, "Kumquat is noted.");
    await write(screen, "Which word?");
    await read(screen, "It was kumquat.");
    expect(await stage.lastRead()).toContain(prompt);
    await row.waitFor({ state: "detached" });
    await screen.isGood();
  });

  test("hooks of the project's settings deny, permit, hold on and refuse, and none of it breaks the session", async () => {
    const { screen, stage } = bridge;
    const folder = hooked(stage.project);
    const bash = (command: string) => reply(calls("Bash", { command, description: "Try it" }));
    await stage.tell(
      bash("mkdir forbidden"),
      bash("mkdir granted"),
      reply(says("I am done.")),
      reply(says("Now I am really done.")),
      reply(says("Fine.")),
    );
    const id = await openSession(screen, folder);
    await write(screen, "Make folders");
    // Nobody was asked for the one, and nobody could allow the other.
    await read(screen, "Now I am really done.");
    expect(["forbidden", "granted"].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
    await openSteps(screen);
    // The newest tells of each of its hooks, also of one that failed; the older one only what became of the call.
    await read(screen, /Not in this house\./);
    await read(screen, isOld ? "Failed" : /^Denied by a hook/);
    if (!isOld) {
      const log = conversation(screen).locator(".step", { hasText: "PostToolUse:Bash" });
      await log.getByText("exit 1", { exact: true }).waitFor();
      await log.getByText("The log is full.").waitFor();
    }
    await read(screen, "Told by the system");
    await read(screen, /Stop hook feedback/);
    await screen.isGood();
    // What is refused before the model hears of it is an end like any other, and what follows is not.
    const asked = (await stage.asked()).length;
    expect(await stage.lastRead()).toMatch(/Not in this house.*One more thing/);
    await write(screen, "Tell the secret");
    await expect.poll(() => linesOf(screen, id, "result")).toHaveLength(2);
    if (!isOld) await read(screen, /blocked by hook:\s+Nobody says that here\./);
    expect(await stage.asked()).toHaveLength(asked);
    await write(screen, "Go on");
    await read(screen, "Fine.");
    expect(await stage.lastRead()).not.toContain("secret");
    await screen.isGood();
  });

  // The older one does not write down what its processes work on, and its command line does not say so.
  if (!isOld) {
    test("a session at work in a terminal says so, and is taken over only with a choice", async () => {
      const { screen, stage } = bridge;
      const { page } = screen;
      const long = Array.from({ length: 20 }, (_, at) => `word${at}`).join(" ");
      await stage.tell({ ...reply(says(long)), pause: { after: 4, gate: "terminal" } });
      const said = stage.inTerminal("-p", "Guard the word persimmon");
      await expect.poll(() => stage.asked()).toHaveLength(1);
      await page.evaluate(() => {
        location.hash = "#/";
      });
      const row = page.locator(".list .srow", { hasText: "Guard the word persimmon" });
      await row.getByText(/^Runs in a terminal/).waitFor();
      await row.click();
      await read(screen, "Guard the word persimmon");
      await page.locator(".terminal-notice", { hasText: "In a terminal now" }).waitFor();
      await button(screen, "Take over").click();
      const dialog = page.getByRole("dialog", { name: "Somebody else is at it" });
      await dialog.waitFor();
      await screen.isGood();
      await dialog.getByRole("button", { name: /^Watch it here/ }).click();
      await dialog.waitFor({ state: "detached" });
      await stage.release("terminal");
      expect(await said).toContain("word19");
      await read(screen, /word19/);
      await screen.isGood();
    });
  }
});

/** A folder whose settings have a hook for each of these events; what each says is in one script. */
function hooked(project: string): string {
  const folder = join(project, "hooked");
  mkdirSync(join(folder, ".claude"), { recursive: true });
  writeFileSync(join(folder, ".claude", "hook.sh"), HOOK);
  const hook = (event: string) => [
    { hooks: [{ type: "command", command: `sh "$CLAUDE_PROJECT_DIR/.claude/hook.sh" ${event}` }] },
  ];
  const events = ["PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "UserPromptSubmit"];
  const hooks = Object.fromEntries(events.map((event) => [event, hook(event)]));
  writeFileSync(join(folder, ".claude", "settings.json"), JSON.stringify({ hooks }));
  return folder;
}

const HOOK = `
case "$1 $(cat)" in
  PreToolUse*forbidden*) echo "Not in this house." >&2; exit 2 ;;
  PermissionRequest*) echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}' ;;
  PostToolUse*) echo "The log is full." >&2; exit 1 ;;
  Stop*) cd "$CLAUDE_PROJECT_DIR" && [ -d held ] || { mkdir held; echo '{"decision":"block","reason":"One more thing."}'; } ;;
  UserPromptSubmit*secret*) echo '{"decision":"block","reason":"Nobody says that here."}' ;;
esac
`;

type Filling = { totalTokens?: number; categories?: { name: string; tokens: number }[] };

/** What the agent answered last to who asked what fills its context. */
async function answered(screen: Screen, id: string): Promise<Filling | undefined> {
  const answers = await linesOf<{ response: { response?: Filling } }>(screen, id, "control_response");
  return answers.flatMap(({ response: { response } }) => (response?.categories ? [response] : [])).at(-1);
}

/** `3.2k`, as the CLI writes it. */
function tokens(words: string): number {
  const unit = { k: 1000, m: 1_000_000 }[words.at(-1)?.toLowerCase() ?? ""] ?? 1;
  return Math.round(Number.parseFloat(words) * unit);
}

/** What stands in the rows of a table. */
const cellsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? "")));

/** Says a few words first, and stands still in the middle of them until it is let go on. */
const paused = (gate: string, ...blocks: Block[]): Reply => ({
  ...reply(says("I look at what is to be done, one thing after the other, and then go on."), ...blocks),
  pause: { after: 2, gate },
});

/** Two tasks that are made, the first one begun, and ended for the second, as the versions before the task tools write them: all
 * of them each time. */
function todoList(): [Reply[], ...Reply[]] {
  const todos = (first: string, second: string) =>
    calls("TodoWrite", {
      todos: [
        { content: "Fix the login", status: first, activeForm: "Fixing the login" },
        { content: "Run the tests", status: second, activeForm: "Running the tests" },
      ],
    });
  return [
    [reply(todos("pending", "pending"))],
    paused("begin", todos("in_progress", "pending")),
    paused("end", todos("completed", "in_progress")),
  ];
}

/** The same with a tool for each change; the second task also waits for the first. */
function taskTools(): [Reply[], ...Reply[]] {
  const update = (taskId: string, change: Record<string, unknown>) => calls("TaskUpdate", { taskId, ...change });
  return [
    [
      reply(calls("TaskCreate", { subject: "Fix the login", description: "Fix it", activeForm: "Fixing the login" })),
      reply(
        calls("TaskCreate", { subject: "Run the tests", description: "Run them", activeForm: "Running the tests" }),
      ),
      reply(update("2", { addBlockedBy: ["1"] })),
    ],
    paused("begin", update("1", { status: "in_progress" })),
    paused("end", update("1", { status: "completed" }), update("2", { status: "in_progress" })),
  ];
}
