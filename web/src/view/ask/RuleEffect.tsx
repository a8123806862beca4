// What a rule would let through, before it is kept: how many of the last calls it covers, and which.

import { useEffect, useState } from "react";
import { askEffect, type Effect } from "../../api/inspect";
import { useSession } from "../../store/use";
import { Icon } from "../Icon";
import { useNow } from "../now";
import { exactly, when } from "../words";
import { type Edited, effectWords, reachOf, ruleLines } from "./choices";

/** Who types is not asked about every letter. */
const PAUSE_MS = 250;

export function RuleEffect({ edited }: { edited: Edited }) {
  const effect = useEffectOf(edited);
  const [isOpen, setOpen] = useState(false);
  // Without an answer nothing is said: the rule can be kept all the same.
  if (effect === undefined) return <div className="effect" />;
  const { words, denied } = effectWords(effect);
  return (
    <div className="effect">
      <div className="effect-line" role="status">
        <Icon name="clock" />
        <span className="grow">
          {words}
          {denied === undefined ? null : <strong className="is-danger">{denied}</strong>}
        </span>
        {effect.calls.length === 0 ? null : (
          <button type="button" className="btn quiet sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide them" : "Show them"}
          </button>
        )}
      </div>
      {isOpen && effect.calls.length > 0 ? <Calls of={effect.calls} /> : null}
    </div>
  );
}

function Calls({ of }: { of: Effect["calls"] }) {
  const now = useNow();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <ul className="effect-calls" aria-label="Calls that it covers" tabIndex={0}>
      {of.map((call) => (
        <li key={`${call.session} ${call.id}`} className={call.denied ? "is-danger" : ""}>
          <span className="strong">{call.tool}</span>
          <code title={call.about}>{call.about}</code>
          {call.denied ? <span>denied</span> : null}
          <time title={exactly(call.at)}>{when(call.at, now)}</time>
        </li>
      ))}
    </ul>
  );
}

/** What the server says of the rule as it stands; what it said before stays until then. */
function useEffectOf({ rules, destination }: Edited): Effect | undefined {
  const { id } = useSession();
  const [effect, setEffect] = useState<Effect>();
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      askEffect(id, ruleLines(rules), reachOf(destination), abort.signal).then(setEffect, () => {
        if (!abort.signal.aborted) setEffect(undefined);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, rules, destination]);
  return effect;
}
