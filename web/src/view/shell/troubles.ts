// Failures of deeds that have no place of their own on the page (a menu that is closed by then): a sentence goes in, and a way
// out where there is one; the strip at the top of the page shows it until it is put away.

import { messageOf } from "../../api/http";
import { Shared, useShared } from "../../store/shared";

export type Trouble = { text: string; wayOut?: { label: string; take: () => void } };

const now = new Shared<Trouble | undefined>(undefined);

export const setTrouble = (trouble: Trouble | undefined): void => now.set(trouble);

/** What to do when a deed fails: `deed().catch(troubled("It was not archived"))`. */
export const troubled =
  (what: string) =>
  (cause: unknown): void =>
    setTrouble({ text: `${what}. ${messageOf(cause)}` });

export const useTroubleNow = (): Trouble | undefined => useShared(now);
