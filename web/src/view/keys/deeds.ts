// What the actions of the page do now. Whoever can do one says so while it is there; one listener for the whole page calls it when
// its keys are pressed, and the palette offers what can be done.

import { useEffect, useRef } from "react";
import { isTyping } from "../shell/typing";
import { ACTION_IDS, type ActionId, actionsIn } from "./actions";
import { pressedOf } from "./bindings";

type Deed = () => void;

/** The one that came last does it. */
const deeds = new Map<ActionId, Deed[]>();

/** While this is drawn, it does that action. */
export function useDeed(action: ActionId, deed: Deed, isOn = true): void {
  const now = useRef(deed);
  now.current = deed;
  useEffect(() => {
    if (!isOn) return;
    const own: Deed = () => now.current();
    deeds.set(action, [...(deeds.get(action) ?? []), own]);
    return () => {
      deeds.set(
        action,
        (deeds.get(action) ?? []).filter((other) => other !== own),
      );
    };
  }, [action, isOn]);
}

const deedOf = (action: ActionId): Deed | undefined => deeds.get(action)?.at(-1);

/** The actions that somebody can do now, in the order of the table. */
export function doable(): ActionId[] {
  return ACTION_IDS.filter((action) => deedOf(action) !== undefined);
}

export function act(action: ActionId): void {
  deedOf(action)?.();
}

const ANYWHERE = actionsIn("anywhere");
const ON_PAGE = actionsIn("page");

function pressed(event: KeyboardEvent): void {
  // A dialog has the keyboard for itself.
  if (event.defaultPrevented || document.querySelector("dialog:modal")) return;
  const isOpen = () => isTyping(event.target) || document.querySelector("[popover]:popover-open") !== null;
  const action = pressedOf(ANYWHERE, event) ?? (isOpen() ? undefined : pressedOf(ON_PAGE, event));
  const deed = action === undefined ? undefined : deedOf(action);
  if (deed === undefined) return;
  event.preventDefault();
  deed();
}

/** The one listener. */
export function useKeyboard(): void {
  useEffect(() => {
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
