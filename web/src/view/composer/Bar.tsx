// Below the text: attach, `@`, `/`, what Enter does, stop and send.

import { useRef } from "react";
import { Icon } from "../Icon";
import { Caps, ChordCaps } from "../keys/Caps";
import { interruptOf, useStopping } from "../session/interrupt";
import type { Desk } from "./desk";
import { TYPES } from "./pictures";
import { useDesk } from "./use";

export function Bar(props: {
  desk: Desk;
  isRunning: boolean;
  isStopping: boolean;
  isSlim: boolean;
  isTouch: boolean;
  onAttach: (files: File[]) => void;
  onMark: (sign: "@" | "/") => void;
  onSend: () => void;
}) {
  const { desk, isRunning } = props;
  const picker = useRef<HTMLInputElement>(null);
  const isEmpty = useDesk(desk, (one) => one.isEmpty());
  const isStopping = useStopping(desk.session).kind === "sending" || props.isStopping;
  return (
    <div className="bar">
      <button type="button" className="ibtn" aria-label="Attach pictures" onClick={() => picker.current?.click()}>
        <Icon name="attach" />
      </button>
      <input
        ref={picker}
        className="vh"
        type="file"
        accept={TYPES.join(",")}
        multiple
        tabIndex={-1}
        aria-label="Pictures to attach"
        onChange={(event) => {
          props.onAttach([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      {props.isSlim ? null : (
        <>
          <button type="button" className="btn quiet sm" onClick={() => props.onMark("@")}>
            <span className="faint" aria-hidden="true">
              @
            </span>
            File
          </button>
          <button type="button" className="btn quiet sm" onClick={() => props.onMark("/")}>
            <span className="faint" aria-hidden="true">
              /
            </span>
            Command
          </button>
          <span className="grow" />
          {props.isTouch ? null : <Hints isRunning={isRunning} />}
        </>
      )}
      {isRunning ? (
        <button
          type="button"
          className="stop"
          aria-label={isStopping ? "Stopping" : "Stop the turn"}
          title={isStopping ? "Stopping" : "Stop the turn"}
          disabled={isStopping}
          onClick={() => void interruptOf(desk.session).stop()}
        >
          <Icon name="stop" />
        </button>
      ) : null}
      <button
        type="button"
        className="send"
        aria-label={isRunning ? "Queue for after this turn" : "Send"}
        title={isRunning ? "Queue for after this turn" : "Send"}
        disabled={isEmpty}
        onClick={props.onSend}
      >
        <Icon name="send" />
      </button>
    </div>
  );
}

function Hints({ isRunning }: { isRunning: boolean }) {
  return isRunning ? (
    <span className="hint">
      <Caps action="send" /> queues <Caps action="steer" /> steers now
    </span>
  ) : (
    <span className="hint">
      <Caps action="send" /> sends <ChordCaps chord="Shift+Enter" /> new line
    </span>
  );
}
