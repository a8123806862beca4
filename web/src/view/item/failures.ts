// What went wrong, in words, and what to do about it. Pure.

import type { ErrorItem } from "../../generated";
import { humanWords } from "./toolWords";

const CATEGORIES: Record<string, string> = {
  rate_limit: "Rate limited",
  overloaded: "The model is overloaded",
  authentication_failed: "Not logged in",
  billing_error: "Billing",
  invalid_request: "The request was not accepted",
  server_error: "Server error",
  exit: "The agent ended",
};

const STEPS: Record<string, string> = {
  rate_limit: "Wait until the limit begins anew, or choose another model.",
  overloaded: "Send your message again in a while, or choose another model.",
  authentication_failed: "Log in with the CLI in a terminal, then send your message again.",
  billing_error: "Look at your plan or your API key, then send your message again.",
  server_error: "Send your message again in a while.",
  exit: "Your next message starts it again.",
};

type Told = Pick<ErrorItem, "category" | "status">;

/** What it was; by its status where the agent does not say more. */
function kindOf({ category, status }: Told): string | undefined {
  if (category !== undefined && category !== "unknown") return category;
  return status === undefined ? undefined : status >= 500 ? "server_error" : "invalid_request";
}

export function failureWords(error: Told): string {
  const kind = kindOf(error);
  const words = kind === undefined ? undefined : (CATEGORIES[kind] ?? humanWords(kind));
  return [words, error.status === undefined ? undefined : `status ${error.status}`]
    .filter((part) => part !== undefined)
    .join(", ");
}

/** What to do next, where that is known. */
export function nextStep(error: Told, text: string): string | undefined {
  if (/prompt is too long/i.test(text)) return "Compact the context, then send your message again.";
  return STEPS[kindOf(error) ?? ""];
}
