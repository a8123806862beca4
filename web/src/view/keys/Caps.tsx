// The keys of an action, as they stand on the keyboard.

import type { ActionId } from "./actions";
import { keysOf, useKeys } from "./bindings";
import { capsOf } from "./chord";

/** The first chord of an action; nothing if it has none. */
export function Caps({ action }: { action: ActionId }) {
  useKeys();
  const [chord] = keysOf(action);
  return chord === undefined ? null : <ChordCaps chord={chord} />;
}

export function ChordCaps({ chord }: { chord: string }) {
  return (
    <span className="caps">
      {capsOf(chord).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
