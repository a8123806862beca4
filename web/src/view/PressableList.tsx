// The element in which a long list stands. While the list scrolls, and for a moment after, it would let every press fall through it to
// nothing: who scrolls and presses at once would press in vain.

import type { ComponentProps } from "react";

export function PressableList({ style, ...rest }: ComponentProps<"div">) {
  return <div {...rest} style={{ ...style, pointerEvents: "auto" }} />;
}
