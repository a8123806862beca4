// What the agent asks leave for, in each of its states: with reason, path and every kind of suggestion, edited, several at once,
// withdrawn; a change before and after it is allowed.

import { expect, test } from "vitest";
import { prompts } from "./asks";
import type { Screen } from "./screen";
import { button, changedLines, choose, conversation, openSteps } from "./session";
import { called, calls, says, turn } from "./story";

const may = (tool: string, input: unknown, more: Record<string, unknown> = {}) => ({
  subtype: "can_use_tool",
  tool_name: tool,
  input,
  tool_use_id: `toolu_${JSON.stringify(input).length}`,
  ...more,
});

/** As the document of the protocol has it. */
const outside = may(
  "Bash",
  { command: "rm /tmp/foo.txt", description: "Remove file" },
  {
    permission_suggestions: [
      { type: "addDirectories", directories: ["/private/tmp"], destination: "session" },
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "rm /tmp/*" }],
        behavior: "allow",
        destination: "localSettings",
      },
      { type: "setMode", mode: "acceptEdits", destination: "session" },
    ],
    decision_reason: "Path is outside allowed working directories",
    blocked_path: "/private/tmp/foo.txt",
  },
);

const LINES = Array.from({ length: 500 }, (_, at) => `line ${at + 1}`);

/** A new file; its last line is longer than one wants to see. */
const LONG = `// ${"x".repeat(3000)}`;
const FRESH = `const one = 1;\nconst two = 2;\n${LONG}\n`;

const patched = (file: string, gone: string, come: string) => ({
  type: "update",
  filePath: file,
  content: come,
  originalFile: gone,
  structuredPatch: [{ oldStart: 7, oldLines: 1, newStart: 7, newLines: 1, lines: [`-${gone}`, `+${come}`] }],
});

const cell = (edit_mode: string, cell_type: string, new_source: string, old_source = "") =>
  calls(
    "NotebookEdit",
    { notebook_path: "/project/nb.ipynb", cell_id: "c1", cell_type, edit_mode, new_source },
    "Done",
    {
      asks: edit_mode === "insert",
      gives_value: { new_source, old_source, cell_type, language: "python", edit_mode, cell_id: "c1", error: "" },
    },
  );

const TURNS = {
  outside: [{ request: outside }, ...turn([says("Turn outside ends.")])],
  several: [
    called("toolu_first", "Bash", { command: "first command" }),
    { open: { name: "first", request: may("Bash", { command: "first command" }, { tool_use_id: "toolu_first" }) } },
    { open: { name: "second", request: may("Bash", { command: "the second command" }) } },
    { wait_for: "control_request/set_model" },
    { withdraw: "first" },
    { await: "second" },
    ...turn([says("Turn several ends.")]),
  ],
  edited: turn([calls("Bash", { command: "rm -rf build" }, "", { asks: true })], [says("Turn edited ends.")]),
  server: turn(
    [calls("mcp__github__search_repositories", { query: "hull" }, "none", { asks: true })],
    [says("Turn server ends.")],
  ),
  fresh: turn(
    [
      calls("Write", { file_path: "/project/new.ts", content: FRESH }, "File created", {
        asks: true,
        gives_value: {
          type: "create",
          filePath: "/project/new.ts",
          content: FRESH,
          structuredPatch: [],
          originalFile: null,
        },
      }),
    ],
    [
      calls("Write", { file_path: "/project/old.ts", content: "new" }, "Updated", {
        asks: false,
        gives_value: patched("/project/old.ts", "was", "is"),
      }),
      calls(
        "Edit",
        { file_path: "/project/far.ts", old_string: "a", new_string: "b" },
        "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
        { asks: false, fails: true },
      ),
    ],
    [says("Turn fresh ends.")],
  ),
  long: turn(
    [
      calls(
        "Edit",
        { file_path: "/project/long.ts", old_string: LINES.join("\n"), new_string: "short" },
        "The file has been updated.",
        { asks: true },
      ),
    ],
    [says("Turn long ends.")],
  ),
  cells: turn(
    [cell("insert", "markdown", "# A *new* title")],
    [cell("delete", "code", "", "print(1)")],
    [says("Turn cells ends.")],
  ),
} satisfies Record<string, unknown[]>;

type Name = keyof typeof TURNS;

const { bridge, prompt, radio, ends, step, answers, begin } = prompts(TURNS);
let screen: Screen;

/** Each has a session of its own: what one of them leaves is in nobody's way. */
const STATES: Record<Name, () => Promise<void>> = {
  outside: async () => {
    await prompt().getByText("Asks because: Path is outside allowed working directories").waitFor();
    await prompt().getByText("/private/tmp/foo.txt").waitFor();
    await prompt().getByText("rm /tmp/foo.txt").first().waitFor();
    await expect.poll(() => radio(/^Once/).isChecked()).toBe(true);
    await radio(/^Allow work in/).check();
    await button(screen, /^Allow and add folder/).waitFor();
    await radio(/^Accept every edit/).check();
    await button(screen, /^Allow and switch mode/).waitFor();
    // A rule can be made narrower, and kept for less long; one that is none is not sent.
    await prompt()
      .getByRole("button", { name: /^Edit rule/ })
      .click();
    const rule = prompt().getByRole("textbox");
    await rule.fill("rm x");
    await prompt()
      .getByText(/is no rule/)
      .waitFor();
    await expect.poll(() => button(screen, /^Allow and save rule/).isDisabled()).toBe(true);
    await rule.fill("Bash(rm /tmp/foo.txt)");
    // Escape goes back, wherever in the prompt one is; what it says it does.
    await button(screen, /^Allow and save rule/).focus();
    await prompt().getByText("goes back").waitFor();
    await screen.page.keyboard.press("Escape");
    await rule.waitFor({ state: "detached" });
    // The focus is in the prompt again, where its keys count: from 400 ms on after it came, which a test can be there before.
    await prompt().locator(":focus").waitFor();
    await screen.page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 400;
    });
    await screen.page.keyboard.press("e");
    await rule.fill("Bash(rm /tmp/foo.txt)");
    await prompt().getByRole("combobox").selectOption("session");
    await screen.isGood();
    await button(screen, /^Allow for this session/).click();
    await ends("outside");
    expect((await answers()).at(-1)).toMatchObject({
      behavior: "allow",
      updatedPermissions: [
        { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "rm /tmp/foo.txt" }], destination: "session" },
      ],
    });
  },
  several: async () => {
    await prompt().getByText("1 of 2").waitFor();
    await prompt().getByText("first command").first().waitFor();
    await button(screen, "Next request").click();
    await prompt().getByText("the second command").first().waitFor();
    await button(screen, "Previous request").click();
    await screen.isGood();
    // The agent takes one back: that is said, and the other one stands there.
    await choose(screen, /^Model/, /^Haiku/);
    await screen.page
      .getByText(/^Withdrawn by the agent/)
      .first()
      .waitFor();
    await prompt().getByText("the second command").first().waitFor();
    expect(await prompt().getByText("1 of 2").count()).toBe(0);
    await prompt().getByRole("button", { name: /^Deny/ }).first().click();
    await ends("several");
    expect((await answers()).at(-1)).toMatchObject({ behavior: "deny" });
  },
  edited: async () => {
    await button(screen, "Edit command").click();
    await prompt().getByRole("textbox").fill("rm -rf build/tmp");
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await ends("edited");
    expect((await answers()).at(-1)).toMatchObject({ updatedInput: { command: "rm -rf build/tmp" } });
    await openSteps(screen);
    await step(/rm -rf build/)
      .getByText("Edited by you")
      .waitFor();
  },
  server: async () => {
    await prompt().getByRole("heading", { name: "Let GitHub do “Search repositories”?" }).waitFor();
    await prompt().getByText("hull").first().waitFor();
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await ends("server");
    await openSteps(screen);
    await step(/GitHub/)
      .locator("[title=mcp__github__search_repositories]")
      .waitFor();
  },
  fresh: async () => {
    // What would be written, with its numbers.
    await expect
      .poll(() => changedLines(prompt()))
      .toEqual(["const one = 1;", "const two = 2;", `${LONG.slice(0, 500)}…`]);
    await expect.poll(() => prompt().locator(".dl .n").allTextContents()).toEqual(["1", "2", "3"]);
    await prompt().getByRole("button", { name: "Show anyway, a line has 3,003 characters" }).click();
    expect((await changedLines(prompt())).at(-1)).toBe(LONG);
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await ends("fresh");
    await openSteps(screen);
    await step(/new\.ts/)
      .getByText("New file")
      .waitFor();
    const over = step(/old\.ts/);
    await expect.poll(() => changedLines(over)).toEqual(["removed: was", "added: is"]);
    await expect.poll(() => over.locator(".dl .n").allTextContents()).toEqual(["7", "", "", "7"]);
    await step(/far\.ts/)
      .getByText(/has not been read yet/)
      .waitFor();
    await screen.isGood();
  },
  long: async () => {
    const more = prompt().getByRole("button", { name: "Show anyway, 501 lines" });
    await more.waitFor();
    await expect.poll(() => prompt().locator(".dl").count()).toBe(80);
    await more.click();
    await expect.poll(() => prompt().locator(".dl").count()).toBe(501);
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await ends("long");
  },
  cells: async () => {
    await prompt().getByText("New cell").waitFor();
    await prompt().locator("em", { hasText: "new" }).waitFor();
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await ends("cells");
    await openSteps(screen);
    const wells = conversation(screen).locator(".well.cell");
    await wells.filter({ hasText: "Removes the cell" }).waitFor();
    await expect.poll(() => changedLines(wells.filter({ hasText: "Removes the cell" }))).toEqual(["removed: print(1)"]);
    await wells.filter({ hasText: "New cell" }).locator("em", { hasText: "new" }).waitFor();
    await screen.isGood();
  },
};

test.each(Object.keys(TURNS) as Name[])("%s", async (name) => {
  ({ screen } = bridge);
  await begin(name);
  await STATES[name]();
});
