// What one sees while it happens, and what one takes away: a thought that streams, agents that work, a context that is being
// compacted, colours of code, and what the buttons put on the clipboard.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { choose, conversation, openSession, openSteps, read, write } from "./session";
import { type Block, calls, line, says, turn } from "./story";

const THOUGHTS = ["The tide is low.", " It comes at noon."] as const;
const CODE = 'const sea = "blue"; // deep\nreturn 7;';
const ANSWER = `Take *this*:\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\nThat is all.`;

const message = (content: Block[]): Block => ({
  id: "msg_thought",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content,
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

const streamed = (event: Block): Block => line({ type: "stream_event", event });
const thought = (thinking: string): Block =>
  streamed({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking } });

const patch = {
  oldStart: 3,
  oldLines: 2,
  newStart: 3,
  newLines: 2,
  lines: [" // The sea", '-const sea = "grey";', '+const sea = "blue";'],
};

const agent = (description: string, ...replies: Block[][]): Block =>
  calls("Agent", { description, subagent_type: "Explore", prompt: `${description}, please` }, "", {
    replies: replies.map((blocks) => ({ blocks })),
  });
const looksFor = (pattern: string): Block => calls("Grep", { pattern }, "1 match");

const TURNS = {
  thinking: [
    streamed({ type: "message_start", message: message([]) }),
    streamed({
      type: "content_block_start",
      index: 0,
      content_block: { type: "thinking", thinking: "", signature: "" },
    }),
    thought(THOUGHTS[0]),
    { wait_for: "control_request/set_model" },
    thought(THOUGHTS[1]),
    { wait_for: "control_request/set_permission_mode" },
    streamed({ type: "content_block_stop", index: 0 }),
    line({
      type: "assistant",
      message: message([{ type: "thinking", thinking: THOUGHTS.join(""), signature: "s" }]),
    }),
    ...turn([says("We sail at noon.")]),
  ],
  agents: turn(
    [
      agent(
        "Look at all of it",
        [looksFor("reef")],
        [looksFor("tern")],
        [looksFor("tide")],
        [
          agent(
            "Look at a part",
            [calls("Bash", { command: "make chart" }, "drawn", { asks: false, until: "control_request/set_model" })],
            [says("A part is fine.")],
          ),
        ],
        [says("All is fine.")],
      ),
    ],
    [says("They have looked.")],
  ),
  compacting: [
    ...turn([says("I begin.")]),
    { system: { subtype: "status", status: "compacting", compact_output_chars: 0 } },
    { wait_for: "control_request/set_model" },
    { system: { subtype: "status", status: null, compact_result: "success" } },
    {
      system: {
        subtype: "compact_boundary",
        compact_metadata: { trigger: "auto", pre_tokens: 155_000, post_tokens: 9000 },
      },
    },
    ...turn([says("I go on.")]),
  ],
  code: turn(
    [
      calls("Edit", { file_path: "/project/sea.ts", old_string: "grey", new_string: "blue" }, "Done", {
        asks: false,
        gives_value: { filePath: "/project/sea.ts", structuredPatch: [patch], oldString: "grey", newString: "blue" },
      }),
    ],
    [calls("Read", { file_path: "/project/sea.rs" }, '1\tfn sea() -> &str { "blue" } // deep\n', { asks: false })],
    [says(ANSWER)],
  ),
};

const bridge = bridgeForEach({ turns: [] });

async function begin(name: keyof typeof TURNS): Promise<void> {
  const { deck, screen } = bridge;
  deck.tell({ turns: [TURNS[name]] });
  await openSession(screen, deck.work);
  await write(screen, "Go `on`,\nplease");
}

test("a thought streams into its fold, which stays as the reader has it", async () => {
  const { screen } = bridge;
  const status = screen.page.locator(".status");
  const fold = (words: string) => conversation(screen).locator("[data-toggle]", { hasText: words });
  const words = (text: string) => conversation(screen).getByText(text, { exact: true });
  await begin("thinking");
  await status.getByText("Thinking", { exact: true }).waitFor();
  // One line, until somebody wants to read it.
  await fold("Thinking").waitFor();
  await expect.poll(() => fold("Thinking").getAttribute("aria-expanded")).toBe("false");
  expect(await words(THOUGHTS[0]).count()).toBe(0);
  await fold("Thinking").click();
  await words(THOUGHTS[0]).waitFor();
  await screen.isGood();
  await choose(screen, /^Model/, /^Haiku/);
  await words(THOUGHTS.join("")).waitFor();
  await fold("Thinking").click();
  await words(THOUGHTS.join("")).waitFor({ state: "detached" });
  await fold("Thinking").click();
  await words(THOUGHTS.join("")).waitFor();
  await choose(screen, /^Permissions/, /^Plan/);
  await read(screen, "We sail at noon.");
  await openSteps(screen);
  await fold("Thought").waitFor();
  await words(THOUGHTS.join("")).waitFor();
  expect(await fold("Thinking").count()).toBe(0);
  await screen.isGood();
});

test("what an agent does is seen while it works, its last steps first, and an agent inside it in a lane of its own", async () => {
  const { screen } = bridge;
  await begin("agents");
  const outer = conversation(screen).locator(".lane").first();
  const inner = outer.locator(".lane");
  const steps = (lane: Locator) => lane.locator(":scope > .lane-row > .step > .step-in > .line-row").allTextContents();
  await inner.getByText("make chart").first().waitFor();
  await expect
    .poll(() => steps(outer))
    .toEqual([expect.stringMatching(/tide/), expect.stringMatching(/Look at a part.*Running/)]);
  await expect.poll(() => steps(inner)).toEqual([expect.stringMatching(/make chart/)]);
  await screen.isGood();
  await outer.getByRole("button", { name: "2 earlier steps" }).click();
  await expect.poll(async () => (await steps(outer)).length).toBe(4);
  await outer.getByText("Look at all of it, please", { exact: true }).waitFor();
  await screen.isGood();
  await choose(screen, /^Model/, /^Haiku/);
  await read(screen, "They have looked.");
  // What was opened is open when the turn has ended; what was not is one line.
  await openSteps(screen);
  await outer.getByText("All is fine.", { exact: true }).waitFor();
  expect(await inner.count()).toBe(0);
  await screen.isGood();
});

test("while the context is being compacted that is said, and then that it was", async () => {
  const { screen } = bridge;
  const { page } = screen;
  const said = page.locator(".status").getByText("Compacting the context", { exact: true });
  await begin("compacting");
  await said.waitFor();
  await page.locator(".srow", { hasText: "Compacting the context" }).waitFor();
  await screen.isGood();
  await choose(screen, /^Model/, /^Haiku/);
  await read(screen, "I go on.");
  await read(screen, /^Context compacted by itself/);
  await said.waitFor({ state: "detached" });
});

test("code has the colours of its language, wherever it stands, in light and dark", async () => {
  const { screen } = bridge;
  const { page } = screen;
  await begin("code");
  await read(screen, "That is all.");
  await openSteps(screen);
  const read1 = conversation(screen).locator("[data-key]", { hasText: "sea.rs" });
  await read1.locator("[data-toggle]").first().click();
  const places: Record<string, Locator> = {
    answer: conversation(screen).locator(".code-block"),
    change: conversation(screen).locator(".diff", { hasText: "grey" }),
    file: read1.locator(".diff"),
  };
  const colour = (piece: Locator) => piece.evaluate((one) => getComputedStyle(one).color);
  const seen = async (place: Locator) => {
    const pieces = [".t-k", ".t-s", ".t-c"].map((which) => place.locator(which).first());
    return Promise.all([...pieces, place.locator("pre, .c").first()].map(colour));
  };
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [name, place] of Object.entries(places)) {
      // Words, strings, remarks and the rest are four colours.
      expect([name, new Set(await seen(place)).size]).toEqual([name, 4]);
    }
    await screen.isGood();
  }
  // A change shows both of its sides so, and of each the words that are others now.
  for (const [side, word] of [
    [".del", "grey"],
    [".add", "blue"],
  ] as const) {
    await places.change?.locator(`${side} .t-k`, { hasText: "const" }).waitFor();
    await expect.poll(() => places.change?.locator(`${side} b`).allTextContents()).toEqual([word]);
  }
});

test("what is copied is on the clipboard as it was written", async () => {
  const { screen } = bridge;
  const { page } = screen;
  await screen.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await begin("code");
  await read(screen, "That is all.");
  // Its last words are there before it is over, and the line that then comes moves the rows.
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  const copy = async (place: Locator, what: string) => {
    await place.hover();
    await place.getByRole("button", { name: `Copy ${what}` }).click();
  };
  const clipboard = () => expect.poll(() => page.evaluate(() => navigator.clipboard.readText()));
  await copy(conversation(screen).locator(".k-user"), "message");
  await clipboard().toBe("Go `on`,\nplease");
  await copy(conversation(screen).locator(".code-block"), "code");
  await clipboard().toBe(CODE);
  await copy(conversation(screen).locator(".k-text"), "text");
  await clipboard().toBe(ANSWER);
});
