// What waits: messages in the host until the turn has ended (edited, moved, dropped here), and those that were sent and of which
// the agent has not said that it took them.

import { memo, useState } from "react";
import type { HeldPrompt } from "../../api/frames";
import { inSession, post, put, remove } from "../../api/http";
import { useHeld, usePart } from "../../store/use";
import { toEnd } from "../ask/control";
import { Icon } from "../Icon";
import { counted } from "../words";
import type { Desk } from "./desk";
import { beforeWhenDropped, beforeWhenShifted } from "./order";
import { troubleOf } from "./outbox";
import { QueuedChips } from "./QueuedChips";

const PAUSED = {
  interrupted: "The last turn was interrupted.",
  failed: "The last turn failed.",
  died: "The agent died.",
} as const;

const ELSEWHERE = "It has pictures that were sent from elsewhere: drop it and write it again";

export const Queue = memo(function Queue({ desk }: { desk: Desk }) {
  const held = useHeld();
  const queue = usePart("queue");
  const isRunning = usePart("status").turn !== undefined;
  const [trouble, setTrouble] = useState<string>();
  const [dragged, setDragged] = useState<string>();
  if (held.prompts.length === 0 && queue.length === 0) return null;
  const order = held.prompts.map(({ id }) => id);
  const doing = async (work: () => Promise<unknown>): Promise<boolean> => {
    setTrouble(undefined);
    try {
      await work();
      return true;
    } catch (cause) {
      setTrouble(troubleOf(cause).message);
      return false;
    }
  };
  const path = (...parts: string[]) => inSession(desk.session, "held", ...parts);
  const move = (id: string, before: string | undefined) =>
    void doing(() => post(path(id, "move"), before === undefined ? {} : { before }));
  return (
    <div className="queue-block">
      {held.paused === undefined || held.prompts.length === 0 || isRunning ? null : (
        <p className="paused">
          <Icon name="clock" />
          <span className="grow">{PAUSED[held.paused]} Send what waits?</span>
          <button type="button" className="btn sm" onClick={() => void doing(() => post(path("go-on")))}>
            Send
          </button>
        </p>
      )}
      <QueuedChips desk={desk} queue={queue} doing={doing} />
      {held.prompts.length === 0 ? null : (
        <ul className="queue" aria-label="Queued messages">
          {held.prompts.map((prompt, at) => (
            <HeldChip
              key={prompt.id}
              prompt={prompt}
              number={at + 1}
              desk={desk}
              isDragged={dragged === prompt.id}
              onDrag={setDragged}
              onDrop={() =>
                dragged && dragged !== prompt.id && move(dragged, beforeWhenDropped(order, dragged, prompt.id))
              }
              onShift={(by) => {
                const place = beforeWhenShifted(order, prompt.id, by);
                if (place) move(prompt.id, place.before);
              }}
              onSave={(text) => {
                const images = (desk.picturesOf(prompt.id) ?? []).map(({ mediaType, data }) => ({ mediaType, data }));
                return doing(() => put(path(prompt.id), { text, images }));
              }}
              onSendNow={() =>
                void doing(async () => {
                  await remove(path(prompt.id));
                  desk.sendNow(prompt.id, prompt.text);
                })
              }
              onRemove={() =>
                void doing(async () => {
                  await remove(path(prompt.id));
                  desk.keepForUp(prompt.text);
                })
              }
            />
          ))}
        </ul>
      )}
      {trouble === undefined ? null : (
        <p className="refusal" role="alert">
          <Icon name="warn" />
          {trouble}
        </p>
      )}
    </div>
  );
});

function HeldChip(props: {
  prompt: HeldPrompt;
  number: number;
  desk: Desk;
  isDragged: boolean;
  onDrag: (id: string | undefined) => void;
  onDrop: () => void;
  onShift: (by: 1 | -1) => void;
  onSave: (text: string) => Promise<boolean>;
  onSendNow: () => void;
  onRemove: () => void;
}) {
  const { prompt, number } = props;
  const [edited, setEdited] = useState<string>();
  // What goes with a message is sent again with every change of it, so it has to be here.
  const canEdit = prompt.attachments === (props.desk.picturesOf(prompt.id)?.length ?? 0);
  if (edited !== undefined) {
    const save = async () => {
      if (edited.trim() === "" && prompt.attachments === 0) return;
      if (await props.onSave(edited)) setEdited(undefined);
    };
    return (
      <ChipEditor
        number={number}
        text={edited}
        onType={setEdited}
        onSave={() => void save()}
        onBack={() => setEdited(undefined)}
      />
    );
  }
  const pictures = prompt.attachments === 0 ? "" : counted(prompt.attachments, "picture");
  const words = [prompt.text.replace(/\s+/g, " "), pictures].filter((part) => part !== "").join(" · ");
  return (
    <li
      className={props.isDragged ? "chip dragged" : "chip"}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", prompt.text);
        props.onDrag(prompt.id);
      }}
      onDragEnd={() => props.onDrag(undefined)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        props.onDrop();
      }}
    >
      <button
        type="button"
        className="ibtn xs grip"
        aria-label={`Move queued message ${number}: arrow keys`}
        onKeyDown={(event) => {
          const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          props.onShift(by === 1 ? 1 : -1);
        }}
      >
        <Icon name="drag" />
      </button>
      <span className="cut grow" title={prompt.text}>
        {words}
      </span>
      <button
        type="button"
        className="ibtn xs"
        aria-label={`Send queued message ${number} now`}
        title={canEdit ? "Send now" : ELSEWHERE}
        disabled={!canEdit}
        onClick={props.onSendNow}
      >
        <Icon name="send" />
      </button>
      <button
        type="button"
        className="ibtn xs"
        aria-label={`Edit queued message ${number}`}
        title={canEdit ? "Edit" : ELSEWHERE}
        disabled={!canEdit}
        onClick={() => setEdited(prompt.text)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className="ibtn xs"
        title="Drop"
        aria-label={`Drop queued message ${number}`}
        onClick={props.onRemove}
      >
        <Icon name="x" />
      </button>
    </li>
  );
}

function ChipEditor(props: {
  number: number;
  text: string;
  onType: (text: string) => void;
  onSave: () => void;
  onBack: () => void;
}) {
  return (
    <li className="chip-edit">
      <textarea
        className="input"
        aria-label={`Queued message ${props.number}`}
        rows={Math.min(6, Math.max(2, props.text.split("\n").length))}
        value={props.text}
        // biome-ignore lint/a11y/noAutofocus: it was opened in order to be written in.
        autoFocus
        onFocus={toEnd}
        onChange={(event) => props.onType(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.keyCode === 229) return;
          if (event.key === "Escape") {
            event.preventDefault();
            props.onBack();
          } else if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            props.onSave();
          }
        }}
      />
      <button type="button" className="btn sm" onClick={props.onSave}>
        Save
      </button>
      <button type="button" className="btn quiet sm" onClick={props.onBack}>
        Cancel
      </button>
    </li>
  );
}
