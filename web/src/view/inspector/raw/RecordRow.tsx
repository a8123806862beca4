// One record: its number, time, way, kind and a few words; opened, all of it as a tree.

import { memo } from "react";
import { Icon, type IconName } from "../../Icon";
import { CopyButton } from "../../item/CopyButton";
import { JsonTree } from "../../item/tool/JsonTree";
import { bytes, exactly } from "../../words";
import type { Entry, Way } from "./records";

type Props = {
  entry: Entry;
  isOpen: boolean;
  /** Is it where Tab goes? */
  isStop: boolean;
  /** Was it looked for? */
  isMarked: boolean;
  onToggle: (seq: number) => void;
  onFocus: (seq: number) => void;
};

const WAYS: Record<Way, { icon: IconName; words: string }> = {
  stdin: { icon: "right", words: "To the agent" },
  stdout: { icon: "left", words: "From the agent" },
  stderr: { icon: "warn", words: "From the agent, beside the protocol" },
  host: { icon: "device", words: "Noted by Quarterdeck" },
  transcript: { icon: "file", words: "From the agent’s transcript" },
};

export const RecordRow = memo(function RecordRow({ entry, isOpen, isStop, isMarked, onToggle, onFocus }: Props) {
  const way = WAYS[entry.source] ?? WAYS.stdout;
  return (
    <div className={`rec${isOpen ? " open" : ""}${isMarked ? " marked" : ""}`}>
      <button
        id={`record-${entry.seq}`}
        type="button"
        className="rec-line"
        tabIndex={isStop ? 0 : -1}
        aria-expanded={isOpen}
        onClick={() => onToggle(entry.seq)}
        onFocus={() => onFocus(entry.seq)}
      >
        <span className="rec-head">
          <span className="num faint">{entry.seq}</span>
          <Icon name={way.icon} label={way.words} />
          <span className="rec-kind cut">{entry.kind}</span>
          <time className="faint" title={exactly(entry.at)}>
            {stamp(entry.at)}
          </time>
        </span>
        {entry.words === "" ? null : <span className="rec-words cut">{entry.words}</span>}
      </button>
      {isOpen ? <Opened entry={entry} /> : null}
    </div>
  );
});

/** A record of so few letters is shown with all that is in it. */
const SHORT = 3000;

function Opened({ entry }: { entry: Entry }) {
  return (
    <div className="well rec-well">
      <div className="well-head">
        <span>{bytes(entry.line.length)}</span>
        <span className="grow" />
        <CopyButton text={() => Promise.resolve(JSON.stringify(JSON.parse(entry.line), null, 2))} what="record" />
      </div>
      <JsonTree value={JSON.parse(entry.line)} opened={entry.line.length < SHORT ? 9 : 3} />
    </div>
  );
}

/** `14:02:11.345`: records come close together. */
function stamp(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return `${time}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
