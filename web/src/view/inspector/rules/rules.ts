// Permission rules: what the agent or its files say, and what was granted in this session, in; groups in words out. Pure.

import type { RulesAnswer } from "../../../api/inspect";
import type { Decision, Item } from "../../../generated";

export type Rule = RulesAnswer["rules"][number];

/** What denies comes first, as it does for the agent. */
const ORDER = ["deny", "ask", "allow"] as const;

const NAMES: Record<(typeof ORDER)[number], string> = { deny: "Always denied", ask: "Always asked", allow: "Allowed" };

export function ruleGroups(rules: readonly Rule[]): { behavior: string; name: string; rules: Rule[] }[] {
  const others = [...new Set(rules.map(({ behavior }) => behavior))].filter(
    (each) => !ORDER.some((known) => known === each),
  );
  return [...ORDER, ...others]
    .map((behavior) => ({
      behavior,
      name: (NAMES as Record<string, string>)[behavior] ?? behavior,
      rules: rules.filter((rule) => rule.behavior === behavior),
    }))
    .filter((group) => group.rules.length > 0);
}

const SOURCES: Record<string, string> = {
  userSettings: "all your projects",
  projectSettings: "this project, everyone",
  localSettings: "this project, only you",
  flagSettings: "given at the start",
  policySettings: "your organization",
  session: "this session",
  cliArg: "given at the start",
  command: "a command",
};

export function sourceWords(source: string): string {
  return SOURCES[source] ?? source;
}

/** Where a rule is kept, and what it means where somebody has said so. */
export const ruleNote = ({ source, description }: Rule): string =>
  [sourceWords(source), description].filter(Boolean).join(" · ");

export type Grant = { item: Item; decision: Decision; rules: readonly string[] };

/** What somebody let the agent keep, the last one first. */
export function grants(items: readonly Item[]): Grant[] {
  return items
    .flatMap((item) => {
      const decision = "decision" in item.body ? item.body.decision : undefined;
      return decision && decision.remembered.length > 0 ? [{ item, decision, rules: decision.remembered }] : [];
    })
    .reverse();
}
