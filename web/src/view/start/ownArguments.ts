// Which words of a command line somebody chose, and how many flags are always there: both lines go in. Pure.

import type { CommandLine } from "../../api/search";

type Flag = readonly string[];

/** A flag with the values that follow it. */
function flags(args: readonly string[]): Flag[] {
  const all: string[][] = [];
  for (const word of args) {
    const last = all.at(-1);
    if (word.startsWith("-") || last === undefined) all.push([word]);
    else last.push(word);
  }
  return all;
}

export function ownArguments(line: Pick<CommandLine, "args" | "always">): { own: string[]; always: number } {
  const left = flags(line.always).map((flag) => flag.join("\0"));
  const own: string[] = [];
  let always = 0;
  for (const flag of flags(line.args)) {
    const at = left.indexOf(flag.join("\0"));
    if (at < 0) {
      own.push(...flag);
    } else {
      left.splice(at, 1);
      // What starts the program is no flag.
      if (flag[0]?.startsWith("-")) always += 1;
    }
  }
  return { own, always };
}
