// States of the components that are met seldom: nothing there yet, switched off, refused, connecting, asleep; what comes while one
// looks.

import { expect, test } from "vitest";
import { beginner } from "./bridge";
import { choose, conversation, inspect, linesOf, openSteps, say, send } from "./session";
import { called, calls, gave, local, says, turn } from "./story";

const begin = beginner();

test("tasks and servers: none, one list after the other, and what changes while one looks", async () => {
  const todo = (content: string, status: string, activeForm: string) => ({ content, status, activeForm });
  const { screen, session } = await begin({
    on_control: [
      { subtype: "mcp_status", does: { body: { mcpServers: [{ name: "slow", status: "pending" }] } }, once: true },
      { subtype: "mcp_reconnect", does: { body: {} } },
      { subtype: "mcp_toggle", does: { body: {} } },
      {
        subtype: "mcp_status",
        does: { body: { mcpServers: [{ name: "slow", status: "connected", tools: [{ name: "wait" }] }] } },
      },
    ],
    turns: [
      turn([says("Nothing yet.")]),
      turn(
        [
          calls("TodoWrite", {
            todos: [
              todo("Look", "completed", "Looking"),
              todo("Mend", "in_progress", "Mending"),
              todo("Tell", "pending", "Telling"),
            ],
          }),
        ],
        [says("One is done.")],
      ),
      turn(
        [calls("TodoWrite", { todos: [todo("Look", "completed", "Looking"), todo("Mend", "completed", "Mending")] })],
        [says("All is done.")],
      ),
    ],
  });
  await say(screen, "Nothing yet.");
  let pane = await inspect(screen, session, "tasks");
  await pane.getByText(/^The agent keeps no list here yet/).waitFor();
  await screen.isGood();
  await say(screen, "One is done.");
  await pane.getByText("1 of 3 done").waitFor();
  await pane.getByText("Mending", { exact: true }).waitFor();
  await say(screen, "All is done.");
  await pane.getByText("2 of 2 done").waitFor();
  expect(await pane.getByText("Tell", { exact: true }).count()).toBe(0);
  await screen.isGood();
  // The page looks again every two seconds while a server connects.
  let goOn = (): void => {};
  const isSeen = new Promise<void>((seen) => (goOn = seen));
  let looks = 0;
  await screen.page.route(/\/mcp$/, async (route) => {
    looks += 1;
    if (looks > 1) await isSeen;
    await route.continue();
  });
  pane = await inspect(screen, session, "mcp");
  await pane.getByText("Connecting", { exact: true }).waitFor();
  await screen.isGood();
  goOn();
  // Nobody has to press anything for it.
  await pane.getByText("Connected", { exact: true }).waitFor();
  await pane.getByRole("button", { name: "1 tool" }).waitFor();
  await screen.isGood();
});

test("context and cost: before anything was said, and after a compaction", async () => {
  const { screen, session } = await begin({
    turns: [
      [
        {
          system: {
            subtype: "compact_boundary",
            compact_metadata: { trigger: "auto", pre_tokens: 155_000, post_tokens: 20_000 },
          },
        },
        ...turn([says("I know less now.")]),
      ],
    ],
  });
  let pane = await inspect(screen, session, "cost");
  await pane.getByText("$0.00").first().waitFor();
  expect(await pane.getByRole("region", { name: "By turn" }).count()).toBe(0);
  await screen.isGood();
  await say(screen, "I know less now.");
  await conversation(screen).getByText("Context compacted by itself").waitFor();
  await conversation(screen)
    .getByText(/155.k → 20.k tokens/)
    .waitFor();
  pane = await inspect(screen, session, "context");
  await pane.getByRole("region", { name: "Compactions" }).getByText(/155/).first().waitFor();
  await screen.isGood();
});

/** What a model used, as the CLI tells it. */
const used = (inputTokens: number, outputTokens: number, costUSD: number) => ({
  inputTokens,
  outputTokens,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  webSearchRequests: 0,
  costUSD,
  contextWindow: 200_000,
});

/** A limit of the plan, which begins anew in an hour. */
const limit = (rateLimitType: string, status: string, utilization: number, number: number, seconds = 3600) => ({
  line: JSON.stringify({
    type: "rate_limit_event",
    session_id: "s",
    uuid: `5eba7181-9c80-44b2-baf0-9850000003${number}`,
    rate_limit_info: { status, rateLimitType, utilization, resetsAt: Math.floor(Date.now() / 1000) + seconds },
  }),
});

test("cost: models that add up, limits that are near and reached, and what a fork does not count", async () => {
  const models = { "claude-opus-5-5": used(900, 90, 0.02), "claude-haiku-5-5": used(100, 10, 0.0125) };
  const { screen, session } = await begin({
    turns: [
      [
        limit("seven_day", "allowed_warning", 0.87, 1),
        limit("five_hour", "rejected", 1, 2),
        limit("seven_day_opus", "rejected", 1, 3, -60),
        ...turn([says("That was dear.")]),
        { result: { total_cost_usd: 0.0325, modelUsage: models, model_usage_since_last_result: models } },
      ],
    ],
  });
  await say(screen, "That was dear.");
  const pane = await inspect(screen, session, "cost");
  const rows = pane.getByRole("region", { name: "By model" }).getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(3);
  const cells = (place: string) => rows.locator(`:scope > ${place}`).allTextContents();
  await expect.poll(() => cells("span:first-child")).toEqual(["Opus 5.5", "Haiku 5.5", "All models"]);
  await expect.poll(() => cells(".num")).toEqual(["$0.0200", "$0.0125", "$0.0325"]);
  await expect.poll(() => rows.last().locator(".tokens").textContent()).toMatch(/^1.k in100 out$/);
  await expect.poll(() => pane.locator(".pane-figure strong").textContent()).toBe("$0.0325");
  const limits = pane.getByRole("region", { name: "Limits of the plan" }).getByRole("listitem");
  const hour = /Begins anew at \d\d:\d\d, in \d/.source;
  expect(await limits.allTextContents()).toEqual([
    expect.stringMatching(new RegExp(`^5 hoursused up${hour}`)),
    expect.stringMatching(new RegExp(`^7 days87.%${hour}`)),
    expect.stringMatching(/Has begun anew$/),
  ]);
  await screen.page
    .locator("header.head")
    .getByRole("button", { name: /used up/ })
    .waitFor();
  await screen.page.getByText(/^The 5-hour limit is reached; it begins anew (at|on) .*\d\d:\d\d\.$/).waitFor();
  await screen.page.getByText(/^87.% of the weekly limit is used/).waitFor();
  await screen.isGood();
  // Whoever goes on from here did not spend it.
  await choose(screen, /^Actions for/, /^Fork/);
  await expect.poll(() => screen.page.url()).not.toContain(session);
  await pane.getByText("$0.03, not counted").waitFor();
  await expect.poll(() => pane.locator(".pane-figure strong").textContent()).toBe("$0.00");
  const turns = pane.getByRole("region", { name: "By turn" });
  await turns.getByRole("button", { name: "Before it was taken over 1 turn" }).click();
  await turns.getByRole("button", { name: /Go on \$0\.0325$/ }).waitFor();
  await screen.isGood();
});

test("agents inside agents and one that failed, a job that tells nothing, a server that is switched", async () => {
  const server = (status: string) => ({
    body: {
      mcpServers: [
        { name: "files", status, tools: [{ name: "look" }] },
        { name: "mail", status: "needs-auth" },
      ],
    },
  });
  const agent = (description: string, ...replies: unknown[][]) =>
    calls("Agent", { description, subagent_type: "Explore", prompt: description }, "", {
      replies: replies.map((blocks) => ({ blocks })),
    });
  const { screen, session } = await begin({
    on_control: [
      { subtype: "get_task_output", does: { error: "No such task" } },
      { subtype: "mcp_toggle", does: { body: {} } },
      { subtype: "mcp_reconnect", does: { error: "No such server" }, once: true },
      { subtype: "mcp_reconnect", does: { body: {} } },
      { subtype: "mcp_status", does: server("connected"), once: true },
      { subtype: "mcp_status", does: server("disabled"), once: true },
      { subtype: "mcp_status", does: server("connected") },
    ],
    turns: [
      [
        ...turn([
          agent("Look at all of it", [agent("Look at a part", [says("A part is fine.")])], [says("All is fine.")]),
        ]),
        ...failedAgent(),
        ...turn(
          [
            calls("Bash", { command: "make", description: "Build it", run_in_background: true }, "", {
              asks: false,
              until: "control_request/stop_task",
            }),
          ],
          [says("They have looked.")],
        ),
      ],
      [local("Open https://auth.example/login?state=1 to log in")],
    ],
  });
  await say(screen, "They have looked.");
  let pane = await inspect(screen, session, "tasks");
  const agents = pane.getByRole("region", { name: "Agents" });
  await agents.getByRole("heading", { name: "Agents" }).waitFor();
  const [outer, failed] = [agents.locator(":scope > ul > li").first(), agents.locator(":scope > ul > li").last()];
  await expect.poll(() => outer.locator("ul .t").allTextContents()).toEqual(["Look at a part"]);
  await expect
    .poll(() => outer.locator(".note").allTextContents())
    .toEqual(Array(2).fill("Done · Explore · 1 tool · 100 tokens"));
  await expect
    .poll(() => failed.locator(".t, .note.is-danger").allTextContents())
    .toEqual(["Look elsewhere", "Failed · Explore"]);
  const jobs = pane.getByRole("region", { name: "Background" });
  await jobs.getByRole("button", { name: "Output" }).click();
  await jobs.getByText("The agent does not tell it.").waitFor();
  await screen.isGood();
  pane = await inspect(screen, session, "mcp");
  const files = pane.getByRole("listitem").filter({ has: screen.page.getByRole("heading", { name: "Files" }) });
  const isUsed = files.getByRole("switch", { name: "Files is used" });
  await files.getByText("Connected", { exact: true }).waitFor();
  await isUsed.click();
  await files.getByText("Switched off", { exact: true }).waitFor();
  expect(await isUsed.isChecked()).toBe(false);
  await screen.isGood();
  await isUsed.click();
  await files.getByText("Connected", { exact: true }).waitFor();
  await expect.poll(() => isUsed.isChecked()).toBe(true);
  const switched = await linesOf<{ request: Record<string, unknown> }>(screen, session, "control_request", "stdin");
  expect(switched.flatMap(({ request }) => (request.subtype === "mcp_toggle" ? [request] : []))).toMatchObject([
    { serverName: "files", enabled: false },
    { serverName: "files", enabled: true },
  ]);
  // One that is connected again; who refuses is heard.
  const again = files.getByRole("button", { name: "Connect again: Files" });
  await again.click();
  await files.getByText(/No such server/).waitFor();
  await again.click();
  await files.getByText(/No such server/).waitFor({ state: "detached" });
  const connected = async () => {
    const requests = await linesOf<{ request: Record<string, unknown> }>(screen, session, "control_request", "stdin");
    return requests.flatMap(({ request }) => (request.subtype === "mcp_reconnect" ? [request.serverName] : []));
  };
  // The words go when it is pressed, and the agent hears of it after that.
  await expect.poll(connected).toEqual(["files", "files"]);
  await pane
    .getByText(/^Log in once in a terminal: start claude in this folder, type \/mcp and choose mail\./)
    .waitFor();
  // An address that a command prints is a link.
  await send(screen.page, session, "/mcp login mail");
  const login = conversation(screen).getByRole("link", { name: "https://auth.example/login?state=1", exact: true });
  await login.waitFor();
  await expect.poll(() => login.getAttribute("href")).toBe("https://auth.example/login?state=1");
  await screen.isGood();
  await choose(screen, /^Actions for/, /^End its agent/);
  await inspect(screen, session, "tasks");
  await jobs.getByText("The agent that could tell it has ended.").waitFor();
  await screen.isGood();
});

test("a job: pinned under the header, its output followed through a failure of the server, and stopped there", async () => {
  const wrote = (output: string) => ({
    subtype: "get_task_output",
    does: { body: { output, total_bytes: output.length, truncated: false } },
  });
  const make = { command: "make", description: "Build it", run_in_background: true };
  const { screen, session } = await begin({
    on_control: [{ ...wrote("ok 1\n"), once: true }, wrote("ok 1\nok 2\n")],
    turns: [
      turn(
        [calls("Bash", make, "", { asks: false, until: "control_request/stop_task" })],
        [says("It is being built.")],
      ),
    ],
  });
  // Of what the page asks, the second is not answered.
  let asked = 0;
  await screen.page.route("**/tasks/*/output", (route) => {
    asked += 1;
    return asked === 2 ? route.fulfill({ status: 503 }) : route.continue();
  });
  await say(screen, "It is being built.");
  const pinned = screen.page.getByRole("region", { name: "In the background" });
  await pinned.getByText("Build it", { exact: true }).waitFor();
  const pane = await inspect(screen, session, "tasks");
  const jobs = pane.getByRole("region", { name: "Background" });
  await jobs.getByRole("button", { name: "Output" }).click();
  await jobs.getByText("ok 1").waitFor();
  await jobs.getByText("ok 2").waitFor();
  expect(asked).toBeGreaterThan(2);
  await screen.isGood();
  // Everything that is told of it ends with it.
  await pinned.getByRole("button", { name: "Stop Build it" }).click();
  await jobs.getByText(/^Stopped/).waitFor();
  await pinned.waitFor({ state: "detached" });
  const stopped = await linesOf<{ request: Record<string, unknown> }>(screen, session, "control_request", "stdin");
  expect(stopped.filter(({ request }) => request.subtype === "stop_task")).toHaveLength(1);
  await screen.isGood();
});

/** An agent whose call came to nothing. */
function failedAgent(): unknown[] {
  const input = { description: "Look elsewhere", subagent_type: "Explore", prompt: "Look" };
  const common = { session_id: "s", parent_tool_use_id: null };
  const message = { id: "msg_lost", type: "message", role: "assistant", model: "claude-opus-5-5" };
  const content = [{ type: "tool_use", id: "toolu_lost", name: "Agent", input }];
  const result = {
    type: "tool_result",
    tool_use_id: "toolu_lost",
    is_error: true,
    content: "The agent ran out of time",
  };
  return [
    {
      line: JSON.stringify({
        type: "assistant",
        ...common,
        uuid: "5eba7181-9c80-44b2-baf0-985000000401",
        message: {
          ...message,
          content,
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
    },
    {
      line: JSON.stringify({
        type: "user",
        ...common,
        uuid: "5eba7181-9c80-44b2-baf0-985000000402",
        message: { role: "user", content: [result] },
        tool_use_result: "Error: The agent ran out of time",
      }),
    },
  ];
}
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A notebook that was read, with a picture between the texts of its cells. */
const plotted = [
  called("toolu_plot", "Read", { file_path: "/project/plot.ipynb" }),
  gave(
    "toolu_plot",
    [
      { type: "text", text: '<cell id="a">x = 1</cell id="a">\n<cell id="b">plot(x)</cell id="b">' },
      { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
      { type: "text", text: '<cell id="c">print(x)</cell id="c">\n1' },
    ],
    { tool_use_result: { type: "notebook", file: { filePath: "/project/plot.ipynb", cells: [] } } },
  ),
];

test("a picture that a notebook's cell gave stands in its output", async () => {
  const { screen } = await begin({ turns: [[...plotted, ...turn([says("It is a line.")])]] });
  await say(screen, "It is a line.");
  await openSteps(screen);
  const cells = conversation(screen).locator(".notebook > .cell");
  await cells.nth(2).waitFor();
  await cells.nth(1).locator(".cell-output .thumb img").waitFor();
  await expect.poll(() => conversation(screen).locator(".thumb").count()).toBe(1);
  await screen.isGood();
});
