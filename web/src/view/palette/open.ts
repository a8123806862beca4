// Is the palette open? Told by whoever opens it, asked by the frame.

import { Shared, useShared } from "../../store/shared";

/** What stands in its field at first; nothing if it is closed. */
const start = new Shared<string | undefined>(undefined);

/** With `/`, only commands of the agent are offered. */
export const openPalette = (text = ""): void => start.set(text);

export const closePalette = (): void => start.set(undefined);

export const usePalette = (): string | undefined => useShared(start);
