// Each of the fourteen components without a pointer: reached, used and left, with the focus seen all the way and back where it was.

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { call as callOn, hasFocus, isRinged, press as pressOn, walkTo as walkOn } from "./hands";
import { story } from "./inspector.story";
import { Screen } from "./screen";
import { button, composer, conversation, openSession, read, write } from "./session";
import { calls, says, turn } from "./story";

const question = (text: string, options: string[], multiSelect = false) => ({
  question: text,
  header: text.slice(0, 8),
  multiSelect,
  options: options.map((label) => ({ label, description: `It is ${label}` })),
});

const change = { file_path: "/project/a.ts", old_string: "one", new_string: "two" };

const withAsks = {
  ...story,
  turns: [
    story.turns[0] ?? [],
    turn([calls("Edit", change, "The file has been updated.", { asks: true })], [says("It is changed.")]),
    turn(
      [calls("AskUserQuestion", { questions: [question("Which colour?", ["Red", "Blue"])] }, "Blue")],
      [says("So be it.")],
    ),
    [{ message: { blocks: [says("This takes long.")] } }, { wait_for: "control_request/interrupt" }],
  ],
};

let deck: Deck;
let screen: Screen;
let session: string;

beforeAll(async () => {
  deck = await Deck.start(withAsks);
  screen = await Screen.open(deck.url);
  session = await openSession(screen, deck.work);
  await write(screen, "Change the version everywhere");
  await read(screen, "All of it is under way.");
});

afterAll(async () => {
  await screen.close();
  await deck.end();
});

/** Where everybody begins, and is at the end. */
beforeEach(async () => {
  await screen.page.evaluate((id) => {
    location.hash = `#/s/${id}`;
  }, session);
  await composer(screen).focus();
});

const press = (...keys: string[]) => pressOn(screen, ...keys);
const walkTo = (place: Locator, key?: string) => walkOn(screen, place, key);
const call = (words: string) => callOn(screen, words);
const type = (text: string) => screen.page.keyboard.type(text);
const isBack = () => expect.poll(() => hasFocus(composer(screen))).toBe(true);
const panel = () => screen.page.getByRole("dialog");
const pane = () => screen.page.getByRole("tabpanel");
const gone = (place: Locator) => place.waitFor({ state: "detached" });

/** Opens a tab of the inspector, and goes into it. */
async function inspect(words: string): Promise<void> {
  await call(words);
  await pane().waitFor();
  await walkTo(screen.page.getByRole("tab", { selected: true }), "F6");
  await press("Tab");
}

/** Leaves the inspector. */
async function leave(): Promise<void> {
  await press("Escape");
  await gone(pane());
  await isBack();
}

/** Presses until the prompt is gone: keys count only when it has been there for a moment. */
async function answer(key: string): Promise<void> {
  const prompt = screen.page.locator("form.ask");
  await expect
    .poll(async () => {
      if ((await prompt.count()) > 0) await press(key);
      return prompt.count();
    })
    .toBe(0);
}

/** What the server says of the session. */
function status(): Promise<Record<string, unknown>> {
  return screen.page.evaluate(async (id) => {
    const answer = await fetch(`api/v1/sessions/${id}/state`);
    return ((await answer.json()) as { state: { status: Record<string, unknown> } }).state.status;
  }, session);
}

const COMPONENTS: Record<string, () => Promise<void>> = {
  settings: async () => {
    await press("Control+,");
    await panel().getByRole("heading", { name: "Settings of this session" }).waitFor();
    const levels = panel().getByRole("radiogroup", { name: "Effort" }).getByRole("radio");
    await walkTo(levels.first());
    // The arrows only go there; what is chosen takes a press of its own.
    await press("ArrowRight", "ArrowRight", "Space");
    await expect.poll(status).toMatchObject({ effort: "high" });
    await press("Escape");
    await gone(panel());
    await isBack();
  },
  help: async () => {
    await call("agent can do");
    await panel().getByRole("heading", { name: "What this agent can do" }).waitFor();
    await walkTo(panel().getByRole("searchbox"));
    await type("shell");
    await panel().getByText("Runs a command in a shell").waitFor();
    // The first press empties the field, as everywhere.
    await press("Escape", "Escape");
    await gone(panel());
    await isBack();
  },
  keys: async () => {
    await call("keyboard");
    await walkTo(panel().getByRole("button", { name: "Change the keys for New session" }));
    await press("Enter", "Alt+n", "Enter");
    // The button that was pressed has the focus again.
    const change = panel().getByRole("button", { name: "Change the keys for New session" });
    await expect.poll(async () => (await change.count()) > 0 && (await hasFocus(change))).toBe(true);
    await walkTo(panel().getByRole("button", { name: "Reset the keys for New session" }));
    await press("Enter");
    await gone(panel().getByRole("button", { name: "Reset the keys for New session" }));
    await press("Escape");
    await gone(panel());
    await isBack();
  },
  context: async () => {
    await inspect("Context");
    await walkTo(pane().getByRole("button", { name: /^Memory files/ }));
    await press("Enter");
    await pane().getByText("/project/CLAUDE.md").waitFor();
    await leave();
  },
  cost: async () => {
    // From its figure in the header this time: pressed again, it closes.
    const figure = button(screen, /^Cost/);
    await walkTo(figure, "Shift+Tab");
    await press("Enter");
    await pane().getByText("this session").waitFor();
    await walkTo(screen.page.getByRole("tab", { selected: true }), "F6");
    await walkTo(pane().locator(".pane-fold-head").first());
    await press("Enter");
    await pane().getByText("cache read").first().waitFor();
    // Where one was last outside of it.
    await press("Escape");
    await gone(pane());
    await isBack();
    await walkTo(figure, "Shift+Tab");
    await press("Enter");
    await pane().waitFor();
    await press("Enter");
    await gone(pane());
    await expect.poll(() => hasFocus(figure)).toBe(true);
  },
  diff: async () => {
    await inspect("Changed files");
    await walkTo(pane().getByRole("button", { name: /a\.ts/ }));
    await press("Enter");
    await pane().locator(".file-change .dl.add").first().waitFor();
    await leave();
  },
  tasks: async () => {
    await inspect("Tasks and");
    await walkTo(pane().getByRole("checkbox", { name: "By status" }));
    await press("Space");
    await pane().getByRole("heading", { name: "Blocked 1" }).waitFor();
    await walkTo(pane().getByRole("button", { name: "Write a note" }));
    await press("Enter");
    await pane().getByText("Write a note, in all places").waitFor();
    await leave();
  },
  MCP: async () => {
    await inspect("MCP");
    await walkTo(pane().getByRole("button", { name: "2 tools" }));
    await press("Enter");
    await pane().getByText("Finds repositories by name").waitFor();
    await leave();
  },
  commands: async () => {
    await type("/co");
    const list = screen.page.getByRole("listbox", { name: "Commands" });
    await list.waitFor();
    const first = await list.getByRole("option", { selected: true }).textContent();
    await press("ArrowDown");
    expect(await list.getByRole("option", { selected: true }).textContent()).not.toBe(first);
    // Escape closes the list and leaves the text, the next one clears the text.
    await press("Escape");
    await gone(list);
    await expect.poll(() => composer(screen).inputValue()).toBe("/co");
    await press("Escape");
    expect(await composer(screen).inputValue()).toBe("");
    await type("/compac");
    await list.waitFor();
    await press("Tab");
    await expect.poll(() => composer(screen).inputValue()).toBe("/compact ");
    await press("Escape");
    await isBack();
  },
  notebook: async () => {
    const fold = conversation(screen)
      .getByRole("group")
      .filter({ hasText: /\d steps/ });
    await press("Shift+F6");
    await walkTo(fold, "ArrowUp");
    await press("Enter");
    const row = conversation(screen).locator(".trow", { hasText: /^Read.*nb\.ipynb/ });
    await walkTo(row, "ArrowDown");
    await press("ArrowRight");
    await row.locator(".notebook > .cell").nth(1).locator("em", { hasText: "title" }).waitFor();
    await press("ArrowLeft");
    await gone(row.locator(".notebook"));
    await walkTo(fold, "ArrowUp");
    await press("ArrowLeft", "F6");
    await isBack();
  },
  sessions: async () => {
    await call("New session");
    const dialog = screen.page.getByRole("dialog", { name: "New session" });
    await dialog.waitFor();
    await walkTo(dialog.getByLabel("First message"));
    await type("Later, perhaps");
    await press("Escape");
    await gone(dialog);
    await isBack();
    // What was written there is kept.
    await call("New session");
    await expect.poll(() => dialog.getByLabel("First message").inputValue()).toBe("Later, perhaps");
    await press("Escape");
    await gone(dialog);
    // The row of the session: its menu, and its name.
    await walkTo(screen.page.locator(".list a.srow"), "Shift+F6");
    await press("F2");
    await screen.page.keyboard.press("Control+a");
    await type("Everywhere");
    await press("Enter");
    await screen.page.locator(".list a.srow", { hasText: "Everywhere" }).waitFor();
    await expect.poll(() => hasFocus(screen.page.locator(".list a.srow"))).toBe(true);
  },
  permission: async () => {
    await type("Change it");
    await press("Enter");
    const allow = button(screen, /^Allow once/);
    await allow.waitFor();
    // The prompt has the focus by itself, as nobody was writing; the change can be scrolled to, and the choices walked.
    const prompt = screen.page.locator("form.ask");
    await expect.poll(() => prompt.evaluate((form) => form.contains(document.activeElement))).toBe(true);
    await expect.poll(() => prompt.locator(".dl .c").allTextContents()).toEqual(["removed: one", "added: two"]);
    await walkTo(prompt.getByRole("radio").first(), "Shift+Tab");
    await press("ArrowDown");
    await button(screen, /^Allow and switch mode/).waitFor();
    await press("ArrowUp");
    // Who goes back from a field is in the prompt again, where its keys count.
    const first = prompt.getByRole("radio").first();
    for (const [open, field] of [
      ["Shift+D", /^Why not/],
      ["Enter", "Use this input instead"],
    ] as const) {
      if (open === "Enter") await walkTo(button(screen, "Edit input"));
      await expect
        .poll(async () => {
          await press(open);
          return prompt.getByRole("textbox", { name: field }).count();
        })
        .toBe(1);
      await type("half");
      await press("Escape");
      await gone(prompt.getByRole("textbox", { name: field }));
      await expect.poll(() => hasFocus(first)).toBe(true);
      await expect.poll(() => isRinged(screen)).toBe(true);
    }
    await walkTo(allow);
    await answer("Enter");
    await read(screen, "It is changed.");
    await isBack();
  },
  question: async () => {
    await type("Ask me");
    await press("Enter");
    const blue = screen.page.getByRole("radio", { name: /^Blue/ });
    await blue.waitFor();
    // Escape leaves it waiting; the way back leads into it again.
    const prompt = screen.page.locator("form.ask");
    await expect.poll(() => prompt.evaluate((form) => form.contains(document.activeElement))).toBe(true);
    await press("Escape");
    await isBack();
    await walkTo(screen.page.getByRole("radio", { name: "Something else" }), "Shift+Tab");
    await press("ArrowDown", "ArrowDown");
    await expect.poll(() => blue.isChecked()).toBe(true);
    await answer("Control+Enter");
    await read(screen, "So be it.");
    await isBack();
  },
  escape: async () => {
    await type("Work on");
    await press("Enter");
    await read(screen, "This takes long.");
    // What is written goes first; then one press warns, and the second one stops.
    await type("half a thou");
    await press("Escape");
    expect(await composer(screen).inputValue()).toBe("");
    expect(await screen.page.getByText(/again/i).count()).toBe(0);
    // The second one counts for two seconds after the first.
    await expect
      .poll(async () => {
        await press("Escape");
        return conversation(screen)
          .getByText(/^Interrupted/)
          .count();
      })
      .toBeGreaterThan(0);
    // It is said once.
    expect(
      await conversation(screen)
        .getByText(/interrupted|cut off/i)
        .count(),
    ).toBe(1);
    await isBack();
  },
};

test.each(Object.entries(COMPONENTS))("%s", async (_, walk) => {
  await walk();
  await screen.isGood();
});
