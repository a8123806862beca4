// Texts that would do something if they were taken for more than text, in what surrounds the conversation: the panes of the
// inspector, jobs, cards that are seldom met, and every list of sessions, presets and folders. They are read, and nothing happens.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beginner } from "./bridge";
import type { Deck } from "./deck";
import {
  allIn,
  endOf,
  first,
  isInnocent,
  missing,
  missingIn,
  numbers,
  oneIn,
  openAll,
  readRows,
  second,
  sliced,
  texts,
} from "./hostile";
import type { Screen } from "./screen";
import { at, composer, conversation, inspect, openSession, openSteps, read, say, turnEnds, write } from "./session";
import { type Block, called, gave, message, says, turn } from "./story";

const begin = beginner();

/** A task that is to be done, or is being done by somebody. */
function task(number: number, input: Block, owner?: string): Block[] {
  const [id, taskId] = [`toolu_task_${number}`, String(number)];
  const made = [
    called(id, "TaskCreate", input),
    gave(id, `Task #${taskId} created`, { tool_use_result: { task: { id: taskId, subject: input.subject } } }),
  ];
  if (owner === undefined) return made;
  const change = { status: "in_progress", owner };
  return [
    ...made,
    called(`${id}_begun`, "TaskUpdate", { taskId, ...change }),
    gave(`${id}_begun`, `Updated task #${taskId}`, {
      tool_use_result: { success: true, taskId, updatedFields: Object.keys(change) },
    }),
  ];
}

/** The state holds so many tasks as are worth a list. */
const tasks = (slice: number[]): Block[] =>
  slice.flatMap((number) => [
    ...task(number, { subject: oneIn("task", number), description: oneIn("told", number) }),
    ...task(1000 + number, { subject: "Go on", activeForm: oneIn("doing", number) }, oneIn("owner", number)),
  ]);

const job = (number: number): Block[] => {
  const common = { task_id: `b${number}`, run_id: `run-b${number}`, task_type: "local_bash" };
  const usage = { total_tokens: 1, tool_uses: 1, duration_ms: 1 };
  return [
    { system: { subtype: "task_started", ...common, description: oneIn("job", number), is_backgrounded: true } },
    {
      system: {
        subtype: "task_progress",
        ...common,
        description: first,
        last_tool_name: oneIn("tool", number),
        usage,
      },
    },
  ];
};

const on_control = [
  {
    subtype: "get_task_output",
    does: { body: { output: allIn("Output"), total_bytes: 90_000, truncated: true } },
  },
  {
    subtype: "list_permission_rules",
    does: {
      body: {
        state: {
          rules: numbers.map((number) => ({
            behavior: ["allow", "deny", "ask", first][number % 4],
            rule: oneIn("rule", number),
            source: oneIn("source", number),
            description: { prefix: second, emphasis: oneIn("meaning", number) },
            editability: "session",
          })),
          workspaceDirectories: numbers.map((number) => ({ path: oneIn("directory", number), source: first })),
          originalCwd: "/project",
          managedOnly: false,
        },
      },
    },
  },
];

test("texts do nothing in tasks, jobs and rules", async () => {
  const { deck, screen, session } = await begin({
    on_control,
    turns: [[...numbers.flatMap(job), ...turn([says("They run.")])]],
  });
  const { page } = screen;
  await say(screen, "They run.");
  const pinned = page.getByRole("region", { name: "In the background" }).getByRole("listitem");
  await expect.poll(() => pinned.count()).toBe(texts.length);
  const above = (await pinned.allTextContents()).join("\n");
  for (const place of ["job", "tool"]) expect([place, missingIn(place, above)]).toEqual([place, []]);
  await isInnocent(screen);
  const jobs = (await inspect(screen, session, "tasks")).getByRole("region", { name: "Background" });
  await jobs.getByRole("button", { name: "Output" }).first().click();
  const row = jobs.getByRole("listitem").first();
  await row.getByText(/^The last part of/).waitFor();
  await openAll(row);
  await expect.poll(() => row.textContent()).toContain(endOf("Output"));
  const beside = (await jobs.textContent()) ?? "";
  for (const place of ["job", "tool"]) expect([place, missingIn(place, beside)]).toEqual([place, []]);
  await isInnocent(screen);
  const rules = await inspect(screen, session, "rules");
  await rules.getByRole("region", { name: "Folders" }).waitFor();
  const inForce = await isInnocent(screen);
  for (const place of ["rule", "source", "meaning", "directory"]) {
    expect([place, missingIn(place, inForce)]).toEqual([place, []]);
  }
  const seen: string[] = [];
  for (const slice of sliced(55)) {
    deck.tell({ turns: [[...tasks(slice), ...turn([says("They are to be done.")])]] });
    const pane = await inspect(screen, await openSession(screen, deck.work), "tasks");
    await say(screen, "They are to be done.");
    await pane.getByRole("heading", { name: `0 of ${2 * slice.length} done` }).waitFor();
    await pane.locator('.task [aria-expanded="false"]').evaluateAll((rows) => {
      for (const one of rows) (one as HTMLElement).click();
    });
    await expect.poll(() => pane.locator(".task .as-written").count()).toBe(slice.length);
    seen.push(await isInnocent(screen));
  }
  const all = seen.join("\n");
  for (const place of ["task", "told", "doing", "owner"]) expect([place, missingIn(place, all)]).toEqual([place, []]);
});

const CELLS = [
  `<cell id="code">${allIn("Code")}</cell id="code">\n${allIn("Given")}\n`,
  `<cell id="${first}"><cell_type>markdown</cell_type>${allIn("Markdown")}</cell id="${first}">`,
].join("");

/** Questions, and answers to them in words of one's own with notes beside them. */
const asked = (slice: number[], number: number): Block[] => {
  const questions = slice.map((each) => ({
    question: oneIn("question", each),
    header: first,
    multiSelect: false,
    options: [{ label: oneIn("option", each), description: oneIn("described", each) }],
  }));
  const byQuestion = <T>(told: (each: number) => T) =>
    Object.fromEntries(slice.map((each) => [oneIn("question", each), told(each)]));
  const answers = byQuestion((each) => oneIn("answer", each));
  const annotations = byQuestion((each) => ({ notes: oneIn("note", each) }));
  const id = `toolu_asked_${number}`;
  return [
    called(id, "AskUserQuestion", { questions }),
    gave(id, "Your questions have been answered", { tool_use_result: { questions, answers, annotations } }),
  ];
};

test("nor in a notebook, in questions that were answered, and in what failed", async () => {
  const { screen } = await begin({
    turns: [
      [
        called("toolu_read", "Read", { file_path: `/tmp/${first}.ipynb` }),
        gave("toolu_read", CELLS, {
          tool_use_result: { type: "notebook", file: { filePath: `/tmp/${first}.ipynb`, cells: [] } },
        }),
        ...turn([says("It is read.")]),
      ],
      [
        ...sliced(10).flatMap(asked),
        message("failed", [{ type: "text", text: allIn("Error") }], {
          error: first,
          is_api_error_message: true,
          api_error_status: 400,
        }),
        ...turn([says("That was all.")]),
      ],
      [
        {
          result: {
            subtype: "error_during_execution",
            is_error: true,
            errors: [...texts.slice(0, 44), endOf("Failed turn")],
          },
        },
      ],
    ],
  });
  await say(screen, "It is read.");
  // What draws a notebook is fetched when the first one is opened.
  await openSteps(screen);
  const notebook = conversation(screen).locator("[data-key]", { hasText: ".ipynb" });
  await notebook.locator("[data-toggle]").click();
  await notebook.locator(".notebook").waitFor();
  await notebook.locator("[data-toggle]").first().click();
  await conversation(screen).press("End");
  await say(screen, "That was all.");
  await turnEnds(screen);
  const seen = (await readRows(screen, "That was all.")).join("\n");
  const ends = ["Code", "Given", "Markdown", "Error"].map(endOf);
  expect(ends.filter((end) => !seen.includes(end))).toEqual([]);
  for (const place of ["question", "option", "described", "answer", "note"]) {
    expect([place, missingIn(place, seen)]).toEqual([place, []]);
  }
  await conversation(screen).press("End");
  await write(screen, "Go on");
  await read(screen, endOf("Failed turn"));
  expect(missing(texts.slice(0, 44), await isInnocent(screen))).toEqual([]);
});

const partOf = (number: number): string => `part-${String(Math.floor(number / 11)).padStart(2, "0")}`;
/** A title is cut where it is long; so much of it is not. */
const headOf = (text: string): string => [...text.replace(/\s+/g, " ")].slice(0, 60).join("");

/** Conversations of a terminal that have some of these titles, eleven in each folder. */
function layTranscripts({ place }: Deck, some: number[]): void {
  const projects = join(place, ".claude", "projects", "-work");
  mkdirSync(projects, { recursive: true });
  for (const number of some) {
    const sessionId = `11111111-2222-4333-8444-${String(number).padStart(12, "0")}`;
    const line = {
      type: "user",
      cwd: `/tmp/${partOf(number)}`,
      sessionId,
      uuid: sessionId,
      timestamp: new Date().toISOString(),
      message: { role: "user", content: texts[number] },
    };
    const title = { type: "custom-title", customTitle: oneIn("conversation", number), sessionId };
    const written = [line, title].map((each) => `${JSON.stringify(each)}\n`).join("");
    writeFileSync(join(projects, `${sessionId}.jsonl`), written);
  }
}

/** Types into a field that finds conversations, a folder after the other, and gives all that was read then. */
async function findAll(screen: Screen, field: string, rows: string, some: number[]): Promise<string> {
  const seen: string[] = [];
  for (const part of new Set(some.map(partOf))) {
    await screen.page.getByRole("searchbox", { name: field }).fill(part);
    const found = screen.page.locator(rows).filter({ has: screen.page.locator(".sub", { hasText: part }) });
    await expect.poll(() => found.count()).toBe(11);
    seen.push(...(await found.allTextContents()));
    await isInnocent(screen);
  }
  return seen.join("\n");
}

test("nor in conversations of a terminal, wherever they are listed", async () => {
  const { deck, screen } = await begin({ turns: [] });
  const { page } = screen;
  // The server lists the last two hundred.
  for (const half of sliced(110)) {
    layTranscripts(deck, half);
    const heads = half.map((number) => headOf(oneIn("conversation", number)));
    await at(screen, "#/");
    await page.reload();
    await page.getByRole("button", { name: "Find sessions" }).click();
    const field = "Find sessions by title, folder or what was said";
    expect(missing(heads, await findAll(screen, field, ".list .srow", half))).toEqual([]);
    await at(screen, "#/new/resume");
    await page.getByRole("dialog", { name: "New session" }).waitFor();
    expect(missing(heads, await findAll(screen, "Find by title or folder", ".transcripts .srow", half))).toEqual([]);
    await page.keyboard.press("Escape");
  }
});

/** What may stand in a name of a folder. */
const folderName = (number: number): string => `d-${oneIn("folder", number).replaceAll("/", "\u2215")}`;

test("nor in the palette, in what was spent, in presets and in folders", async () => {
  const { deck, screen, session } = await begin({ turns: [turn([says("Done.")])] });
  const { page } = screen;
  await write(screen, oneIn("prompt", 1));
  await read(screen, "Done.");
  await at(screen, "#/usage");
  const day = page.locator("tr.lvl0").first();
  await expect.poll(() => day.locator("td").first().textContent()).toBe("1");
  await day.getByRole("button").click();
  await page.locator("tr.lvl1").first().getByRole("button").click();
  await page.locator("tr.lvl2").first().waitFor();
  await page.keyboard.press("Control+/");
  await page.getByRole("dialog", { name: "Commands, sessions and settings" }).waitFor();
  const seen: Record<string, string[]> = { "tr.lvl1": [], ".palette-row": [] };
  for (const slice of sliced(22)) {
    const rows = await page.evaluate(
      async ([id, titles, places]) => {
        const read: [place: string, words: string][] = [];
        for (const title of titles) {
          await fetch(`api/v1/sessions/${id}`, {
            method: "PATCH",
            headers: { "content-type": "application/json", "x-quarterdeck": "1" },
            body: JSON.stringify({ title }),
          });
          const mark = /\(title \d+\)$/.exec(title)?.[0] ?? "";
          for (const place of places) {
            const words = () =>
              [...document.querySelectorAll(place)]
                .map((row) => row.textContent ?? "")
                .find((row) => row.includes(mark));
            while (words() === undefined) await new Promise(requestAnimationFrame);
            read.push([place, words() ?? ""]);
          }
        }
        return read;
      },
      [session, slice.map((number) => oneIn("title", number)), Object.keys(seen)] as const,
    );
    for (const [place, words] of rows) seen[place]?.push(words);
    await isInnocent(screen);
  }
  for (const [place, rows] of Object.entries(seen)) {
    expect([place, missingIn("title", rows.join("\n"))]).toEqual([place, []]);
  }
  await page.keyboard.press("Escape");
  // Presets: in the menu, in the fields that rename them, in the settings.
  await page.evaluate(
    (names) =>
      fetch("api/v1/settings", {
        method: "PATCH",
        headers: { "content-type": "application/json", "x-quarterdeck": "1" },
        body: JSON.stringify({ presets: Object.fromEntries(names.map((name) => [name, { model: name, cwd: name }])) }),
      }),
    numbers.map((number) => oneIn("preset", number)),
  );
  await at(screen, "#/new");
  await page.reload();
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menu").waitFor();
  await expect.poll(async () => missingIn("preset", await isInnocent(screen))).toEqual([]);
  await page.getByRole("menuitem", { name: /^Rename or delete/ }).click();
  await dialog.getByRole("group", { name: "Presets" }).waitFor();
  expect(missingIn("preset", await isInnocent(screen))).toEqual([]);
  // Folders that could be meant.
  for (const number of numbers) mkdirSync(join(deck.work, folderName(number)));
  await dialog.getByRole("combobox", { name: "Folder" }).fill(join(deck.work, "d-"));
  const offers = dialog.getByRole("listbox", { name: "Folders" }).getByRole("option");
  await expect.poll(() => offers.count()).toBe(texts.length);
  expect(missing(numbers.map(folderName), await isInnocent(screen))).toEqual([]);
  await at(screen, "#/settings/presets");
  await page.getByRole("dialog").getByRole("heading", { name: "Presets" }).first().waitFor();
  expect(missingIn("preset", await isInnocent(screen))).toEqual([]);
});

test("nor in the agent's commands that the palette offers", async () => {
  const commands = numbers.map((number) => ({
    name: `c${number}-${texts[number]?.replace(/\s/g, "")}`,
    description: oneIn("command", number),
    argumentHint: "",
  }));
  const { screen } = await begin({
    on_control: [{ subtype: "initialize", does: { body: { commands } } }],
    turns: [turn([says("Done.")])],
  });
  await say(screen, "Done.");
  await composer(screen).press("Control+/");
  const field = screen.page.getByRole("combobox");
  const seen: string[] = [];
  for (const number of numbers) {
    await field.fill(`c${number}-`);
    const row = screen.page.locator(".palette-row", { hasText: `(command ${number})` }).first();
    seen.push((await row.textContent()) ?? "");
    if (number % 22 === 0) await isInnocent(screen);
  }
  await isInnocent(screen);
  expect(missingIn("command", seen.join("\n"))).toEqual([]);
});
