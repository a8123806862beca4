// A text in Markdown, drawn. Blocks that are the same objects as before are not drawn again.

import { memo, type ReactNode, useContext } from "react";
import { SessionContext } from "../store/use";
import { CopyButton } from "../view/item/CopyButton";
import { Scrollable } from "../view/item/Scrollable";
import type { Block, Inline, ListItem } from "./blocks";
import { Code } from "./Code";
import { useMarkdown } from "./client";
import { OuterLink } from "./OuterLink";

/** `id` names the text, so that what was parsed of it before need not be parsed again. */
export function Prose({ id, text }: { id: string; text: string }) {
  // Ids are unique in a session.
  const session = useContext(SessionContext);
  const blocks = useMarkdown(`${session?.id ?? ""}:${id}`, text);
  return <div className="prose">{blocks ? <Blocks blocks={blocks} /> : <p className="as-written">{text}</p>}</div>;
}

function Blocks({ blocks }: { blocks: readonly Block[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
  return blocks.map((block, at) => <BlockView key={at} block={block} />);
}

const BlockView = memo(function BlockView({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "paragraph":
      return <p>{inlines(block.children)}</p>;
    case "heading":
      // The title of the session is above all of them. Which levels an agent uses says nothing about the page, so all are one.
      // One that is only begun is none yet.
      return block.children.length === 0 ? null : <h2 className={`h h-${block.level}`}>{inlines(block.children)}</h2>;
    case "code":
      return <CodeBlock block={block} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List block={block} />;
    case "table":
      return <Table block={block} />;
    case "rule":
      return <hr />;
    default:
      return block satisfies never;
  }
});

function CodeBlock({ block }: { block: Extract<Block, { kind: "code" }> }) {
  return (
    <div className="well code-block">
      <div className="well-head">
        <span className="cut">{block.language || "text"}</span>
        <span className="grow" />
        <CopyButton text={block.text} what="code" />
      </div>
      <Scrollable label="Code" className="code-scroll">
        <pre>
          <Code text={block.text} lines={block.lines} />
        </pre>
      </Scrollable>
    </div>
  );
}

function List({ block }: { block: Extract<Block, { kind: "list" }> }) {
  const className = block.isLoose ? "loose" : undefined;
  // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever added at the end.
  const items = block.items.map((item, at) => <Item key={at} item={item} isLoose={block.isLoose} />);
  return block.start === undefined ? (
    <ul className={className}>{items}</ul>
  ) : (
    <ol className={className} start={block.start}>
      {items}
    </ol>
  );
}

function Item({ item, isLoose }: { item: ListItem; isLoose: boolean }) {
  const [first, ...rest] = item.blocks;
  const isTight = !isLoose && first?.kind === "paragraph";
  return (
    <li className={item.done === undefined ? undefined : "task-item"}>
      {item.done === undefined ? null : (
        <span className={item.done ? "box on" : "box"} role="img" aria-label={item.done ? "done" : "not done"} />
      )}
      {isTight ? inlines(first.children) : first ? <BlockView block={first} /> : null}
      <Blocks blocks={rest} />
    </li>
  );
}

function Table({ block }: { block: Extract<Block, { kind: "table" }> }) {
  const align = (at: number) => (block.align[at] ? `to-${block.align[at]}` : undefined);
  return (
    <Scrollable label="Table" className="table-scroll">
      <table>
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
              <th key={at} className={align(at)}>
                {inlines(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end.
            <tr key={line}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
                <td key={at} className={align(at)}>
                  {inlines(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

function inlines(all: readonly Inline[]): ReactNode {
  return all.map((inline, at) => {
    switch (inline.kind) {
      case "text":
        return inline.text;
      case "code":
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text do not move.
        return <code key={at}>{inline.text}</code>;
      case "strong":
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text do not move.
        return <strong key={at}>{inlines(inline.children)}</strong>;
      case "emphasis":
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text do not move.
        return <em key={at}>{inlines(inline.children)}</em>;
      case "deleted":
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text do not move.
        return <del key={at}>{inlines(inline.children)}</del>;
      case "link":
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text do not move.
          <OuterLink key={at} href={inline.href}>
            {inline.isImage ? "Picture: " : null}
            {inlines(inline.children)}
          </OuterLink>
        );
      case "break":
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text do not move.
        return <br key={at} />;
      default:
        return inline satisfies never;
    }
  });
}
