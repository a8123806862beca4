// A thought: one line, and the words on demand.

import type { Item, ThinkingItem } from "../../generated";
import { ShowAll, useWhole } from "../whole";
import { count, duration } from "../words";
import { useOpen } from "./open";
import { Step } from "./Step";
import { Counting } from "./time";

export function ThinkingStep({ item, thought }: { item: Item; thought: ThinkingItem }) {
  const whole = useWhole(thought.text);
  const [isOpen, toggle] = useOpen(item.id, false);
  const hasWords = whole.text.trim() !== "";
  return (
    <Step
      icon={thought.done ? "think" : "arc"}
      tone={thought.done ? "" : "is-running"}
      verb={thought.done ? "Thought" : "Thinking"}
      isQuiet
      meta={
        <>
          {thought.tokens === undefined ? null : <span className="opt-meta num">{count(thought.tokens)} tokens</span>}
          {thought.done ? (
            thought.durationMs === undefined ? null : (
              <span className="num">{duration(thought.durationMs)}</span>
            )
          ) : (
            <Counting since={item.at} />
          )}
        </>
      }
      isOpen={hasWords ? isOpen : undefined}
      onToggle={hasWords ? toggle : undefined}
    >
      {isOpen && hasWords ? (
        <div className="thought">
          <p className="as-written">{whole.text.trim()}</p>
          <ShowAll whole={whole} />
        </div>
      ) : null}
    </Step>
  );
}
