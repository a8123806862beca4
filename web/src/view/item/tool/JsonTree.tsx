// A JSON value as a tree that opens part by part.

import { useState } from "react";
import { counted } from "../../words";
import { Press } from "../inRow";

/** An object or a list; nothing for any other text. */
export function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** So many entries are shown at first. */
const FIRST = 50;

/** Opened so deep at first. */
export function JsonTree({ value, opened = 2 }: { value: unknown; id?: string; opened?: number }) {
  return (
    <div className="json">
      <Node value={value} depth={0} opened={opened} />
    </div>
  );
}

type NodeProps = { name?: string; value: unknown; depth: number; opened: number };

function Node({ name, value, depth, opened }: NodeProps) {
  const [isOpen, setOpen] = useState(depth < opened);
  const [most, setMost] = useState(FIRST);
  const label = name === undefined ? null : <span className="t-f">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div className="json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const size = counted(entries.length, isList ? "element" : "entry", isList ? "elements" : "entries");
  const inner = entries
    .slice(0, most)
    .map(([key, part]) => <Node key={key} name={key} value={part} depth={depth + 1} opened={opened} />);
  // The outermost needs no way to close it.
  if (depth === 0) return entries.length === 0 ? <div className="json-leaf">{isList ? "[]" : "{}"}</div> : inner;
  return (
    <div>
      <Press className="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
        <span className="faint">{size}</span>
      </Press>
      {isOpen ? <div className="json-in">{inner}</div> : null}
      {isOpen && entries.length > most ? (
        <Press className="json-fold" onClick={() => setMost(most + 500)}>
          {counted(entries.length - most, "more")}
        </Press>
      ) : null}
    </div>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === "string") return <span className="t-s">{value}</span>;
  return <span className="t-n">{String(value)}</span>;
}
