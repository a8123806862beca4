// One place where something was found: the words around it, what kind they are, and when they were said. A link to that place.

import type { Hit } from "../../api/search";
import { Icon, type IconName } from "../Icon";
import { placeHref } from "../route";
import { clock, exactly, inside, when } from "../words";

const KINDS: Record<string, { icon: IconName; words: string; isCode: boolean }> = {
  title: { icon: "sessions", words: "Title", isCode: false },
  prompt: { icon: "message", words: "You", isCode: false },
  answer: { icon: "message", words: "Answer", isCode: false },
  command: { icon: "terminal", words: "Command", isCode: true },
  path: { icon: "file", words: "Path", isCode: true },
};

export const kindOf = (kind: string) => KINDS[kind] ?? { icon: "file" as const, words: kind, isCode: false };

export const hitHref = (hit: Hit): string =>
  placeHref({
    page: "session",
    id: hit.session,
    ...(hit.item === "" || hit.kind === "title" ? {} : { item: hit.item }),
  });

type Props = {
  hit: Hit;
  now: number;
  isSelected?: boolean;
  /** Where the session works: paths in it are shown from there. */
  folder?: string | undefined;
  /** So many letters stand before what was found, where there is little room. */
  lead?: number;
  onFocus?: () => void;
};

export function HitLink({ hit, now, isSelected = false, folder, lead, onFocus }: Props) {
  const { icon, words, isCode } = kindOf(hit.kind);
  const pieces = plain(hit, folder);
  return (
    <a
      className={isSelected ? "hit sel" : "hit"}
      href={hitHref(hit)}
      aria-current={isSelected || undefined}
      onFocus={onFocus}
      onPointerEnter={onFocus}
    >
      <Icon name={icon} />
      <span className={isCode ? "snip mono cut" : "snip"}>
        <Snippet pieces={lead === undefined ? pieces : cutLead(pieces, lead)} />
      </span>
      <time title={exactly(hit.at)}>{when(hit.at, now)}</time>
      <span className="at cut">
        {words}, {clock(hit.at)}
      </span>
    </a>
  );
}

/** The words as one reads them: paths from the folder on, answers without the signs of Markdown. */
function plain({ kind, snippet }: Hit, folder: string | undefined): Hit["snippet"] {
  if (kind === "path" || kind === "command") {
    return snippet.map(({ text, found }) => ({ text: inside(text, folder), found }));
  }
  if (kind !== "answer") return snippet;
  return snippet.map(({ text, found }) => ({ text: text.replace(/\*\*|`|(^|\s)#{1,6}(?=\s)/g, "$1"), found }));
}

/** The pieces, with the end of the first one alone. */
function cutLead(pieces: Hit["snippet"], letters: number): Hit["snippet"] {
  const [first, ...rest] = pieces;
  if (first === undefined || first.found || first.text.length <= letters) return pieces;
  // From the beginning of a word on.
  const end = first.text.slice(-letters).replace(/^\S*\s+/, "");
  return [{ text: `…${end}`, found: false }, ...rest];
}

export function Snippet({ pieces }: { pieces: Hit["snippet"] }) {
  return pieces.map(({ text, found }, at) => {
    const words = text.replace(/\s+/g, " ");
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move.
    return found ? <mark key={at}>{words}</mark> : words;
  });
}
