// How full the context is, how many turns fit, and ways out when it is nearly full. What fills it is in the inspector.

import { useEffect } from "react";
import { usePart, useSession } from "../../../store/use";
import { Arc } from "../../Icon";
import { NEARLY_FULL } from "../../inspector/context/parts";
import { setTrouble } from "../../shell/troubles";
import { counted, percent } from "../../words";
import { askAbout } from "../asked";
import { FAR } from "../forecast";
import { useCompact } from "../useCompact";
import { useForecast } from "../useForecast";
import { levelClass, levelOf, Meter } from "./Meter";
import { TabButton } from "./TabButton";

export function ContextMeter() {
  const { used, window } = usePart("meters").context;
  if (used === undefined || window === undefined || window === 0) return null;
  const share = (used / window) * 100;
  return (
    <>
      <TabButton
        tab="context"
        title={`Context: ${used.toLocaleString()} of ${window.toLocaleString()} tokens`}
        className="mini"
      >
        <Meter percentage={share} label="Context" />
        <span className={levelClass(share)}>{percent(share)}</span>
        <TurnsLeft />
      </TabButton>
      {share >= NEARLY_FULL ? <CompactNow /> : null}
      {levelOf(share) === "danger" ? <NewFromSummary /> : null}
    </>
  );
}

/** Said when it is near. */
function TurnsLeft() {
  const ahead = useForecast();
  if (ahead === undefined || ahead.turns > FAR) return null;
  const words = ahead.turns > 0 ? `~${counted(ahead.turns, "turn")} left` : "<1 turn left";
  return <span className="turns-left">{words}</span>;
}

function NewFromSummary() {
  const { id } = useSession();
  return (
    <button
      type="button"
      className="btn from-summary"
      title="Begin a new session with a summary of this one"
      onClick={() => askAbout({ kind: "summary", id })}
    >
      New from summary
    </button>
  );
}

function CompactNow() {
  const { compact, isBusy, isWaiting, words, error } = useCompact();
  useEffect(() => {
    if (error !== undefined) setTrouble({ text: error });
  }, [error]);
  return (
    <button
      type="button"
      className="btn compact-now"
      title={isWaiting ? "It waits until this turn has ended" : "Sum the conversation up, to make room"}
      disabled={isBusy || isWaiting}
      onClick={() => compact()}
    >
      {isBusy ? <Arc /> : null}
      {isWaiting ? "Compacts later" : words}
    </button>
  );
}
