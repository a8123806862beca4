// Everything that an agent can ask, with the texts that would do something wherever there is room for a text.

import { allIn, endOf, first, oneIn, second, sliced, texts } from "./hostile";
import type { Block } from "./story";

/** The places in which every text stands, to be read as it was written. */
export const ASKED = [
  ...["asked", "reason", "blocked", "folder", "rule", "mode"],
  ...["edited", "old", "new", "written", "content", "address", "about", "value"],
  ...["question", "option", "message", "field", "default"],
];

const opened = (name: string, request: Block): Block => ({ open: { name, request } });

/** Reasons and paths are cut where they are long. */
const halfFor = (place: string, slice: number[]): number[] =>
  place === "folder" ? slice.slice(0, 11) : slice.slice(11);

const SUGGESTIONS: Record<string, (text: string) => Block> = {
  folder: (text) => ({ type: "addDirectories", directories: [text], destination: "session" }),
  mode: (mode) => ({ type: "setMode", mode, destination: "session" }),
  rule: (ruleContent) => ({
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent }],
    behavior: "allow",
    destination: first,
  }),
};

/** Several of them in one place. */
const some = (place: string, slice: number[], between = " "): string =>
  slice.map((at) => oneIn(place, at)).join(between);

/** What is asked about is shown as what it would do: as a change, a new file, an address, or field by field. */
const CALLS: Record<string, (slice: number[]) => Block> = {
  Edit: (slice) => ({
    file_path: `/tmp/${some("edited", slice)}`,
    old_string: some("old", slice, "\n"),
    new_string: some("new", slice, "\n"),
  }),
  Write: (slice) => ({ file_path: `/tmp/${some("written", slice)}`, content: some("content", slice, "\n") }),
  WebFetch: (slice) => ({ url: `javascript:${some("address", slice)}`, prompt: some("about", slice) }),
  mcp: (slice) => Object.fromEntries(slice.map((at) => [oneIn("key", at), oneIn("value", at)])),
};

/** Prompts of every kind, which all wait at once. */
export const ASKS: Block[] = [
  ...Object.entries(SUGGESTIONS).flatMap(([place, suggestion]) =>
    sliced(22).map((slice, number) =>
      opened(`${place} ${number}`, {
        subtype: "can_use_tool",
        tool_name: "Bash",
        input: { command: slice.map((at) => oneIn("asked", at)).join("\n"), description: first },
        tool_use_id: `toolu_${place}_${number}`,
        decision_reason: halfFor(place, slice)
          .map((at) => oneIn("reason", at))
          .join(" "),
        blocked_path: halfFor(place, slice)
          .map((at) => oneIn("blocked", at))
          .join(" "),
        permission_suggestions: slice.map((at) => suggestion(oneIn(place, at))),
      }),
    ),
  ),
  ...Object.entries(CALLS).flatMap(([tool, input]) =>
    sliced(11).map((slice, number) =>
      opened(`${tool} ${number}`, {
        subtype: "can_use_tool",
        tool_name: tool === "mcp" ? `mcp__${texts[slice[0] ?? 0]}__${texts[slice[1] ?? 0]}` : tool,
        input: input(slice),
        tool_use_id: `toolu_${tool}_${number}`,
      }),
    ),
  ),
  ...sliced(11).map((slice, number) =>
    opened(`which ${number}`, {
      subtype: "can_use_tool",
      tool_name: "AskUserQuestion",
      tool_use_id: `toolu_which_${number}`,
      input: {
        questions: [
          {
            question: slice.map((at) => oneIn("question", at)).join(" "),
            header: first,
            multiSelect: number % 2 === 0,
            options: slice.map((at) => ({ label: oneIn("option", at), description: texts[at], preview: texts[at] })),
          },
        ],
      },
    }),
  ),
  ...sliced(11).map((slice, number) =>
    opened(`form ${number}`, {
      subtype: "elicitation",
      mcp_server_name: first,
      message: slice.map((at) => oneIn("message", at)).join("\n"),
      mode: "form",
      requested_schema: {
        type: "object",
        properties: Object.fromEntries(
          slice.map((at) => [
            `f${at}`,
            { type: "string", title: oneIn("field", at), description: texts[at], default: oneIn("default", at) },
          ]),
        ),
      },
    }),
  ),
  ...["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", first].map((url, number) =>
    opened(`page ${number}`, { subtype: "elicitation", mcp_server_name: first, message: second, mode: "url", url }),
  ),
  opened("plan", {
    subtype: "can_use_tool",
    tool_name: "ExitPlanMode",
    tool_use_id: "toolu_plan",
    input: { plan: allIn("plan to approve") },
  }),
  opened("dialog", {
    subtype: "request_user_dialog",
    dialog_kind: first,
    payload: { all: texts, end: endOf("dialog") },
  }),
];
