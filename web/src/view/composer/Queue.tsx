// What waits: messages in the host until the turn has ended (edited, moved, dropped here), and those that were sent and of which
// the agent has not said that it took them.

import { memo, useEffect, useState } from "react";
import type { HeldPrompt } from "../../api/frames";
import { inSession, post, put, remove } from "../../api/http";
import { useHeld, usePart } from "../../store/use";
import { toEnd } from "../ask/control";
import { Icon } from "../Icon";
import { hasFiles } from "../shell/drops";
import { counted } from "../words";
import { type Desk, imagesOf } from "./desk";
import { beforeWhenDropped, beforeWhenShifted } from "./order";
import { troubleOf } from "./outbox";
import { QueuedChips } from "./QueuedChips";
import { useDesk } from "./use";

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
  const [dragged, setDragged] = useState<string>();
  useKeptEdits(desk, held.prompts);
  if (held.prompts.length === 0 && queue.length === 0) return null;
  const order = held.prompts.map(({ id }) => id);
  const doing = async (work: () => Promise<unknown>): Promise<boolean> => {
    desk.refuse(undefined);
    try {
      await work();
      return true;
    } catch (cause) {
      // What it was about may be gone by now, and this list with it.
      desk.refuse(troubleOf(cause).message);
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
                const images = imagesOf(text, desk.picturesOf(prompt.id) ?? []);
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
    </div>
  );
});

/** What is typed into a message goes on where one writes when the message itself has gone. */
function useKeptEdits(desk: Desk, prompts: readonly HeldPrompt[]): void {
  useEffect(() => {
    const isKept = desk.keepEdits(prompts.map(({ id }) => id));
    if (isKept && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(".composer textarea.text")?.focus();
    }
  }, [desk, prompts]);
}

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
  const { prompt, number, desk } = props;
  const edited = useDesk(desk, (one) => one.edited(prompt.id));
  const setEdited = (text: string | undefined) => desk.edit(prompt.id, prompt.text, text);
  // What goes with a message is sent again with every change of it, so it has to be here.
  const canEdit = prompt.attachments === (desk.picturesOf(prompt.id)?.length ?? 0);
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
      // A file is for the composer, wherever it is dropped.
      onDragOver={(event) => {
        if (!hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (hasFiles(event)) return;
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
