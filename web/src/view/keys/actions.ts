// Everything that a key does: what it is called, where it works, and the keys that it has until somebody chooses others. The one
// table: key handlers, hints, the palette and the list of keys all take them from here.

/** Where an action can be called. */
export type Where =
  /** Everywhere, also where somebody types. */
  | "anywhere"
  /** Wherever nobody types. */
  | "page"
  /** On a row of the list. */
  | "list"
  /** In the field in which one writes to the agent. */
  | "composer"
  /** On a prompt that has the focus. */
  | "prompt"
  /** In a form. */
  | "form";

export type Action = { words: string; where: Where; keys: string };

export const ACTIONS = {
  palette: { words: "Commands, sessions and settings", where: "anywhere", keys: "Mod+/ Ctrl+P" },
  clearView: { words: "Clear the view of the conversation", where: "anywhere", keys: "Mod+K" },
  find: { words: "Find in this session", where: "anywhere", keys: "Mod+F" },
  settings: { words: "Settings", where: "anywhere", keys: "Mod+," },
  stopTurn: { words: "Stop the turn", where: "anywhere", keys: "" },
  nextMode: { words: "Next permission mode", where: "anywhere", keys: "" },
  nextRegion: { words: "Next part of the page", where: "anywhere", keys: "F6" },
  previousRegion: { words: "Previous part of the page", where: "anywhere", keys: "Shift+F6" },
  keys: { words: "All keys", where: "page", keys: "?" },
  help: { words: "What this agent can do", where: "page", keys: "H" },
  newSession: { words: "New session", where: "page", keys: "N" },
  nextSession: { words: "Next session", where: "page", keys: "J" },
  previousSession: { words: "Previous session", where: "page", keys: "K" },
  write: { words: "Write to the agent", where: "page", keys: "M" },
  rename: { words: "Rename the session", where: "list", keys: "F2" },
  send: { words: "Send, or queue while a turn runs", where: "composer", keys: "Enter" },
  steer: { words: "Send into the running turn", where: "composer", keys: "Mod+Enter Ctrl+Enter" },
  earlierPrompt: { words: "Earlier prompt", where: "composer", keys: "ArrowUp" },
  laterPrompt: { words: "Later prompt", where: "composer", keys: "ArrowDown" },
  allowOnce: { words: "Allow once, approve", where: "prompt", keys: "A" },
  allowSession: { words: "Allow for this session", where: "prompt", keys: "S" },
  editRule: { words: "Edit the rule", where: "prompt", keys: "E" },
  deny: { words: "Deny, keep planning", where: "prompt", keys: "D" },
  denyWhy: { words: "Deny and say why", where: "prompt", keys: "Shift+D" },
  submit: { words: "Send a form: answers, a new session", where: "form", keys: "Mod+Enter Ctrl+Enter" },
} as const satisfies Record<string, Action>;

export type ActionId = keyof typeof ACTIONS;

export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[];

/** The actions that are called there. */
export const actionsIn = (where: Where): ActionId[] => ACTION_IDS.filter((action) => ACTIONS[action].where === where);

/** Keys that stay as they are: the browser's own, and those that lists, menus and fields have everywhere. */
export const FIXED: readonly Action[] = [
  {
    words: "One step back: closes what is open, denies the prompt, clears the text; twice stops the turn",
    where: "anywhere",
    keys: "Escape",
  },
  { words: "Copy what is selected", where: "anywhere", keys: "Mod+C" },
  { words: "Next and previous control", where: "anywhere", keys: "Tab Shift+Tab" },
  { words: "Walk through lists, menus and the conversation", where: "page", keys: "ArrowUp ArrowDown Home End" },
  { words: "Open and close a row", where: "page", keys: "Enter Space ArrowRight ArrowLeft" },
  { words: "New line", where: "composer", keys: "Shift+Enter" },
  { words: "Choose an answer", where: "prompt", keys: "1 2 3 4 5 6 7 8 9" },
];

/** May both be meant by one press? */
export function overlap(one: Where, other: Where): boolean {
  if (one === other || one === "anywhere" || other === "anywhere") return true;
  const inPage = (where: Where) => where === "page" || where === "list" || where === "prompt";
  return (one === "page" && inPage(other)) || (other === "page" && inPage(one));
}
