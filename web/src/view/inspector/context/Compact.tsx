// Sums the context up: at once, or with a word on what to keep; or begins another session with the summary.

import { type FormEvent, useId, useState } from "react";
import { usePart, useSession } from "../../../store/use";
import { Arc } from "../../Icon";
import { askAbout } from "../../session/asked";
import { useCompact } from "../../session/useCompact";
import { Failure } from "../../shell/Failure";

export function Compact() {
  const { id } = useSession();
  const { turn } = usePart("status");
  const { compact, isBusy, isWaiting, words: doing, error } = useCompact();
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const field = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    compact(isOpen ? words : "", () => {
      setWords("");
      setOpen(false);
    });
  };
  return (
    <form className="compact" onSubmit={send}>
      {isOpen ? (
        <div className="field">
          <label htmlFor={field}>What to keep</label>
          <textarea
            id={field}
            className="input"
            rows={3}
            // biome-ignore lint/a11y/noAutofocus: whoever opens the field wants to write into it.
            autoFocus
            value={words}
            placeholder="The decisions about the schema, and which tests still fail"
            onChange={(event) => setWords(event.target.value)}
          />
        </div>
      ) : null}
      <div className="row">
        <button type="submit" className="btn sm" disabled={isBusy}>
          {isBusy ? <Arc /> : null}
          {doing}
        </button>
        <button type="button" className="btn quiet sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Without a word" : "Say what to keep"}
        </button>
      </div>
      <button type="button" className="link-button" onClick={() => askAbout({ kind: "summary", id })}>
        New from summary
      </button>
      <Failure words={error} />
      {turn !== undefined && (isWaiting || (isOpen && !isBusy)) ? (
        <p className="hint">
          {isWaiting ? "It waits until this turn has ended." : "It is sent when this turn has ended."}
        </p>
      ) : null}
    </form>
  );
}
