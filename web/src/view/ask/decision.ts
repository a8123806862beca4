// What a person decided, as the server takes it: a question's id and a decision in, nothing or an error out.

import { inSession, post } from "../../api/http";

/** One of the agent's suggestions, as it is or edited. */
export type Remember = { suggestion: number; rules?: string[]; destination?: string };

/** The twin of `live::Decision`. */
export type Decision =
  | { kind: "allow"; input?: Record<string, unknown>; remember?: Remember[] }
  | { kind: "deny"; why?: string; stop?: boolean }
  | { kind: "answer"; answers: Record<string, string | string[]> }
  | { kind: "accept"; content?: Record<string, unknown> }
  | { kind: "cancel" };

/** Tells the agent. The first answer counts: a later one fails with `not_asked`. */
export function decide(session: string, ask: string, decision: Decision): Promise<unknown> {
  return post<unknown>(inSession(session, "asks", ask), { decision });
}
