// What the agent wants to know, in each of its states: questions with one answer, several, and words of one's own; a plan; what an
// MCP server asks for, and a dialog.

import { expect, test } from "vitest";
import { prompts } from "./asks";
import type { Screen } from "./screen";
import { button, openSteps } from "./session";
import { calls, says, turn } from "./story";

const asked = (text: string, options: string[], multiSelect = false) => ({
  question: text,
  header: text.slice(0, 8),
  multiSelect,
  options: options.map((label) => ({ label, description: `It is ${label}` })),
});

const COLOURS = ["Red", "Blue", "Green"];

const plan = (text: string) => calls("ExitPlanMode", { plan: `# The plan\n\n1. ${text}` }, "Approved", { asks: true });

const form = {
  subtype: "elicitation",
  mcp_server_name: "harbour",
  message: "Which berth?",
  mode: "form",
  requested_schema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name of the ship", description: "As it stands at the bow" },
      length: { type: "integer", title: "Length", minimum: 1 },
      side: { type: "string", title: "Side", enum: ["port", "starboard"] },
      water: { type: "boolean", title: "Fresh water" },
    },
    required: ["name"],
  },
};

const TURNS = {
  questions: turn(
    [
      calls("AskUserQuestion", {
        questions: [asked("Which colour?", COLOURS), asked("Which ones go with it?", COLOURS, true)],
      }),
    ],
    [says("Turn questions ends.")],
  ),
  words: turn([calls("AskUserQuestion", { questions: [asked("Which one?", COLOURS)] })], [says("Turn words ends.")]),
  steps: turn(
    [calls("AskUserQuestion", { questions: ["One?", "Two?", "Three?"].map((text) => asked(text, COLOURS)) })],
    [says("Turn steps ends.")],
  ),
  approve: turn([plan("Cut the rope")], [says("Turn approve ends.")]),
  accept: turn([plan("Cut the rope in three")], [says("Turn accept ends.")]),
  planning: turn([plan("Cut the mast")], [says("Turn planning ends.")]),
  form: [{ request: form }, ...turn([says("Turn form ends.")])],
  decline: [{ request: form }, ...turn([says("Turn decline ends.")])],
  visit: [
    {
      request: {
        subtype: "elicitation",
        mcp_server_name: "harbour",
        message: "Log in at the harbour",
        mode: "url",
        url: "https://harbour.example/login",
      },
    },
    ...turn([says("Turn visit ends.")]),
  ],
  dialog: [
    { request: { subtype: "request_user_dialog", dialog_kind: "seasickness", payload: { waves: "high" } } },
    ...turn([says("Turn dialog ends.")]),
  ],
} satisfies Record<string, unknown[]>;

type Name = keyof typeof TURNS;

const { bridge, prompt, radio, press, ends, step, answers, begin } = prompts(TURNS);
let screen: Screen;

/** Each has a session of its own: what one of them leaves is in nobody's way. */
const STATES: Record<Name, () => Promise<void>> = {
  questions: async () => {
    // Nothing is chosen beforehand, and nothing can be sent before something is.
    expect(await prompt().locator("input:checked").count()).toBe(0);
    await expect.poll(() => button(screen, /^Send answers/).isDisabled()).toBe(true);
    const group = (name: string) => prompt().getByRole("group", { name });
    await group("Which colour?").getByRole("radio", { name: /^Blue/ }).check();
    await button(screen, /^Send 1 of 2 answers/).waitFor();
    await group("Which ones go with it?").getByRole("checkbox", { name: /^Red/ }).check();
    await group("Which ones go with it?")
      .getByRole("checkbox", { name: /^Green/ })
      .check();
    await screen.isGood();
    // A phone that is turned and turned back has what was chosen.
    const isInside = () => prompt().evaluate((form) => form.contains(document.activeElement));
    await screen.page.setViewportSize({ width: 390, height: 844 });
    await screen.page.locator("dialog.ask-sheet[open] form.ask").waitFor();
    await expect.poll(isInside).toBe(true);
    await screen.page.setViewportSize({ width: 1440, height: 900 });
    await screen.page.locator("dialog.ask-sheet").waitFor({ state: "detached" });
    await expect.poll(isInside).toBe(true);
    await button(screen, /^Send answers/).click();
    await ends("questions");
    expect((await answers()).at(-1)).toMatchObject({
      behavior: "allow",
      updatedInput: {
        answers: { "Which colour?": "Blue", "Which ones go with it?": ["Red", "Green"] },
      },
    });
  },
  words: async () => {
    await prompt()
      .getByRole("textbox", { name: /Something else/ })
      .fill("The colour of the sea");
    await expect.poll(() => prompt().getByRole("radio", { name: "Something else" }).isChecked()).toBe(true);
    await screen.isGood();
    await button(screen, /^Send answer/).click();
    await ends("words");
    expect((await answers()).at(-1)).toMatchObject({
      updatedInput: { answers: { "Which one?": "The colour of the sea" } },
    });
  },
  steps: async () => {
    await prompt().getByText("Question 1 of 3").waitFor();
    await radio(/^Red/).check();
    await button(screen, /^Next/).last().click();
    await prompt().getByText("Question 2 of 3").waitFor();
    await button(screen, "Back").last().click();
    await expect.poll(() => radio(/^Red/).isChecked()).toBe(true);
    await screen.isGood();
    await button(screen, "Skip these questions").click();
    await ends("steps");
    expect((await answers()).at(-1)).toMatchObject({ behavior: "deny" });
  },
  approve: async () => {
    await prompt().getByRole("heading", { name: "The plan" }).waitFor();
    await prompt().getByRole("listitem").getByText("Cut the rope").waitFor();
    await screen.isGood();
    await press(/^Approve/);
    await ends("approve");
    expect((await answers()).at(-1)).toMatchObject({ behavior: "allow" });
    await openSteps(screen);
    await step(/Plan/).getByText("Cut the rope").waitFor();
    await screen.isGood();
  },
  accept: async () => {
    await radio(/^Approve and accept every edit/).check();
    await press(/^Approve/);
    await ends("accept");
    expect((await answers()).at(-1)).toMatchObject({ behavior: "allow" });
    // The mode goes to the agent on its own, and the header says when it holds.
    const mode = screen.page.locator("header.head").getByRole("button", { name: /^Permissions/ });
    await expect.poll(() => mode.textContent()).toMatch(/accept/i);
  },
  planning: async () => {
    await press(/^Keep planning/);
    await prompt()
      .getByRole("textbox", { name: /^What should be different/ })
      .fill("Not the mast");
    await screen.isGood();
    await press(/^Keep planning/);
    await ends("planning");
    expect((await answers()).at(-1)).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("Not the mast"),
    });
    await openSteps(screen);
    await step(/Plan/).getByText("Not the mast").waitFor();
  },
  form: async () => {
    await prompt()
      .getByRole("heading", { name: /^Harbour asks/ })
      .waitFor();
    await prompt().getByText("Which berth?").waitFor();
    await prompt().getByText("As it stands at the bow").waitFor();
    // What is needed and what does not fit is said where it is.
    await prompt()
      .getByLabel(/^Length/)
      .fill("0");
    await press("Send");
    await prompt().getByText("Needed").waitFor();
    await prompt().getByText("At least 1").waitFor();
    await screen.isGood();
    await prompt().getByLabel("Name of the ship").fill("Ana");
    await prompt()
      .getByLabel(/^Length/)
      .fill("12");
    await prompt().getByLabel(/^Side/).selectOption("port");
    await prompt().getByLabel("Fresh water").check();
    await press("Send");
    await ends("form");
    expect((await answers()).at(-1)).toEqual({
      action: "accept",
      content: { name: "Ana", length: 12, side: "port", water: true },
    });
  },
  decline: async () => {
    await press("Decline");
    await ends("decline");
    expect((await answers()).at(-1)).toMatchObject({ action: "decline" });
  },
  visit: async () => {
    const link = prompt().getByRole("link", { name: /harbour\.example/ });
    await expect.poll(() => link.getAttribute("href")).toBe("https://harbour.example/login");
    await expect.poll(() => link.getAttribute("rel")).toContain("noopener");
    await screen.isGood();
    await press("I have done it");
    await ends("visit");
    expect((await answers()).at(-1)).toMatchObject({ action: "accept" });
  },
  dialog: async () => {
    await prompt()
      .getByText(/does not know the dialog “seasickness”/)
      .waitFor();
    await prompt().getByText('"waves": "high"').waitFor();
    await screen.isGood();
    await press("Close it");
    await ends("dialog");
    expect((await answers()).at(-1)).toMatchObject({ behavior: "cancelled" });
  },
};

test.each(Object.keys(TURNS) as Name[])("%s", async (name) => {
  ({ screen } = bridge);
  await begin(name);
  await STATES[name]();
});
