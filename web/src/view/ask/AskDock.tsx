// What the agent asks, above where one writes.

export function AskDock() {
  return null;
}
