// A notebook as the agent reads it: its text in, cells with what they gave out. Pure.

export type Cell = {
  id: string;
  isWords: boolean;
  language: string | undefined;
  source: string;
  /** What its last run gave, as text. */
  output: string;
};

const BEGIN = /<cell id="([^"\n]*)">/g;

/** None if the text is not that of a notebook. */
export function notebookCells(text: string): Cell[] | undefined {
  const begins = [...text.matchAll(BEGIN)];
  if (begins.length === 0 || text.slice(0, begins[0]?.index).trim() !== "") return undefined;
  const cells: Cell[] = [];
  let from = 0;
  for (const begin of begins) {
    const [tag, id = ""] = begin;
    // What looks like the beginning of a cell may stand in one.
    if (begin.index < from) continue;
    const end = `</cell id="${id}">`;
    const start = begin.index + tag.length;
    const found = text.indexOf(end, start);
    const to = found < 0 ? text.length : found;
    const next = begins.find(({ index }) => index >= to)?.index ?? text.length;
    cells.push({ id, ...inner(text.slice(start, to)), output: text.slice(to + end.length, next).trim() });
    from = Math.min(next, text.length);
  }
  return cells;
}

const FACT = /^<(cell_type|language)>([^<\n]*)<\/\1>/;

function inner(text: string): Pick<Cell, "isWords" | "language" | "source"> {
  const facts: Record<string, string> = {};
  let rest = text;
  for (let fact = FACT.exec(rest); fact; fact = FACT.exec(rest)) {
    facts[fact[1] ?? ""] = fact[2] ?? "";
    rest = rest.slice(fact[0].length);
  }
  return { isWords: facts.cell_type === "markdown", language: facts.language, source: rest.replace(/\n$/, "") };
}
