// An address that somebody is about to open: it goes in, and the dialog that shows it in full comes out.

import { Shared, useShared } from "../../store/shared";

const now = new Shared<string | undefined>(undefined);

export const askToLeave = (href: string): void => now.set(href);

export const stay = (): void => now.set(undefined);

export const useLeaving = (): string | undefined => useShared(now);
