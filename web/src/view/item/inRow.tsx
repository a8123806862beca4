// The conversation is one tab stop: what can be pressed in a row is reached with Tab only while the reader is in that row.

import { type ComponentProps, createContext, type ReactNode, useContext } from "react";

/** Is the reader in this row? True outside of the conversation. */
export const RowContext = createContext(true);

export function InRow({ children }: { children: (tabIndex: 0 | -1) => ReactNode }) {
  return children(useContext(RowContext) ? 0 : -1);
}

/** A button in a row. */
export function Press({ children, ...rest }: ComponentProps<"button">) {
  const isHere = useContext(RowContext);
  return (
    <button type="button" tabIndex={isHere ? 0 : -1} {...rest}>
      {children}
    </button>
  );
}
