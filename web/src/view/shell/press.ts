// Nothing moves under a finger: what would move it and comes while something is pressed waits until it was let go of. Who presses a
// button that has gone from under him by then has pressed nothing.

import { useEffect, useState } from "react";

let isDown = false;
let waiting: (() => void)[] = [];

function press(): void {
  isDown = true;
}

function lift(): void {
  isDown = false;
  const all = waiting;
  waiting = [];
  // The click comes after this.
  if (all.length > 0) setTimeout(() => all.map((then) => then()));
}

addEventListener("pointerdown", press, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, lift, true);
// Of the window, not of what is in it: that loses the focus with every press.
addEventListener("blur", lift);

/** At once or, while something is pressed, when that was let go of. */
export function lifted(): Promise<void> {
  return new Promise((then) => {
    if (isDown) waiting.push(then);
    else then();
  });
}

/** The value or, while something is pressed, what it was before. */
export function useSteady<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    let isOver = false;
    void lifted().then(() => isOver || setShown(() => value));
    return () => {
      isOver = true;
    };
  }, [value]);
  return isDown ? shown : value;
}
