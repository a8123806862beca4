// Where one writes to the agent.

export function Composer() {
  return null;
}
