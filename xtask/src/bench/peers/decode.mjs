// `JSON.parse` over the corpus: the name of a row on stdin, its seconds as JSON on stdout.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const mix = readFileSync(process.argv[2], "utf8").split("\n");
if (mix.at(-1) === "") mix.pop();
const kinds = readFileSync(process.argv[3], "utf8").trim().split("\n");
const groups = new Map([["mix", mix]]);
mix.forEach((line, at) => {
  const kind = kinds[at];
  if (!groups.has(kind)) groups.set(kind, []);
  groups.get(kind).push(line);
});

// What the loop makes must be used, or the engine may leave the work out.
let used = 0;

function read(lines) {
  const start = process.hrtime.bigint();
  for (const line of lines) {
    if (JSON.parse(line).type !== undefined) used += 1;
  }
  return Number(process.hrtime.bigint() - start) / 1e9;
}

console.log(JSON.stringify({ version: `node ${process.version}` }));
for await (const row of createInterface({ input: process.stdin })) {
  const seconds = read(groups.get(row));
  if (used === 0) throw new Error("nothing was read");
  console.log(JSON.stringify({ seconds, refused: 0 }));
}
