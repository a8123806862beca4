// Answers to the agent's questions while they are being chosen: options and words in, what the server takes out. Pure.

import type { Question } from "../../generated";

/** What is chosen in one question: options by number, and words of one's own. */
export type Chosen = { options: ReadonlySet<number>; isOther: boolean; other: string };

export const NOTHING: Chosen = { options: new Set(), isOther: false, other: "" };

/** Chooses an option, or takes it back where several may be chosen. */
export function pick(question: Question, chosen: Chosen, option: number): Chosen {
  if (!question.multiSelect) return { ...chosen, options: new Set([option]), isOther: false };
  const options = new Set(chosen.options);
  if (!options.delete(option)) options.add(option);
  return { ...chosen, options };
}

/** Chooses words of one's own, or takes them back where several may be chosen. */
export function pickOther(question: Question, chosen: Chosen, isOther: boolean): Chosen {
  return { ...chosen, isOther, options: question.multiSelect || !isOther ? chosen.options : new Set() };
}

/** Writes words of one's own, which chooses them. */
export function writeOther(question: Question, chosen: Chosen, other: string): Chosen {
  return { ...pickOther(question, chosen, other.trim() !== "" || chosen.isOther), other };
}

/** The answer to one question: one text, or a list where several may be chosen; none if nothing is. */
export function answerOf(question: Question, chosen: Chosen): string | string[] | undefined {
  const labels = question.options.flatMap((option, at) => (chosen.options.has(at) ? [option.label] : []));
  const own = chosen.isOther && chosen.other.trim() !== "" ? [chosen.other.trim()] : [];
  const all = [...labels, ...own];
  if (all.length === 0) return undefined;
  return question.multiSelect ? all : all[0];
}

/** All answers, by the text of the question; a question without one is left out. */
export function answersOf(
  questions: readonly Question[],
  chosen: readonly Chosen[],
): Record<string, string | string[]> {
  const answers: Record<string, string | string[]> = {};
  questions.forEach((question, at) => {
    const answer = answerOf(question, chosen[at] ?? NOTHING);
    if (answer !== undefined) answers[question.question] = answer;
  });
  return answers;
}

/** More questions than these are asked one after the other. */
const AT_ONCE = 2;

export function inSteps(questions: number, isNarrow: boolean): boolean {
  return questions > AT_ONCE || (isNarrow && questions > 1);
}
