// What a command touches, as far as its words tell: a command goes in; whether it uses the network or deletes, and whether it is
// plainly local, come out. Plainly local is what is on a list, and nothing else: what is not known is never called harmless.
// Pure.

/** Commands that change nothing outside of the repository's own build, by their first word; the second, where it matters. */
const LOCAL: Record<string, readonly string[] | "any"> = {
  cargo: ["test", "nextest", "check", "build", "clippy", "fmt", "bench", "doc"],
  npm: ["test", "run"],
  pnpm: ["test", "run"],
  yarn: ["test", "run"],
  go: ["test", "build", "vet", "fmt"],
  make: ["test", "check", "lint", "build"],
  git: ["status", "diff", "log", "show", "rev-parse", "blame"],
  pytest: "any",
  ruff: "any",
  mypy: "any",
  tsc: "any",
  eslint: "any",
  biome: "any",
  vitest: "any",
  jest: "any",
  ls: "any",
  cat: "any",
  head: "any",
  tail: "any",
  wc: "any",
  grep: "any",
  rg: "any",
  pwd: "any",
  echo: "any",
  sort: "any",
  uniq: "any",
  true: "any",
};

/** Scripts of a project that are run everywhere; others can do anything. */
const SCRIPTS = /^(test|lint|check|build|typecheck|format)(:|$)/;

/** What leads out of the command itself: substitutions, redirections, other places, addresses. */
const LEADS_OUT = /[`<>]|\$\(|\$\{?\w|(?<!&)&(?!&)|:\/\/|\.\.|(^|[\s="'])[~/]/;

/** Does it plainly stay inside of the repository, and delete nothing? */
export function isPlainlyLocal(command: string): boolean {
  const text = command.trim();
  if (text === "" || LEADS_OUT.test(text)) return false;
  return simple(text).every((words) => {
    const [first = "", second = ""] = words;
    const allowed = Object.hasOwn(LOCAL, first) ? LOCAL[first] : undefined;
    if (allowed === undefined) return false;
    if (allowed === "any") return true;
    if (!allowed.includes(second)) return false;
    return second !== "run" || SCRIPTS.test(words[2] ?? "");
  });
}

const NETWORK =
  /(^|[\s;|&(])(curl|wget|ssh|scp|rsync|ftp|telnet|nc|gh|npx|pip3?\s+install|docker\s+(pull|push|login)|git\s+(push|pull|fetch|clone|ls-remote)|(npm|pnpm|yarn)\s+(install|i|ci|add|publish|update)|cargo\s+(publish|install|add|update|fetch|search)|go\s+(get|install)|apt(-get)?\s+\w+)(?=$|[\s;|&)])|https?:\/\//;
const DELETES =
  /(^|[\s;|&(])(rm|rmdir|unlink|shred|dd|mkfs\S*|truncate|git\s+clean|git\s+reset\s+--hard|git\s+push\s+.*(--force|-f)|docker\s+(rm|rmi|system\s+prune))(?=$|[\s;|&)])|\s-delete(?=$|\s)/;

export const usesNetwork = (command: string): boolean => NETWORK.test(command);
export const deletes = (command: string): boolean => DELETES.test(command);

/** The commands that a line is made of, each as its words. */
function simple(text: string): string[][] {
  return text.split(/&&|\|\||[;|\n]/).map((part) => part.trim().split(/\s+/));
}
