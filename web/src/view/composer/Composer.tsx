// Where one writes to the agent: text, pictures, what waits, and the keys.

import { type ClipboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useConnection, useKnown, usePart, useSession } from "../../store/use";
import { pressedOf } from "../keys/bindings";
import { interruptOf } from "../session/interrupt";
import { useFileDrops } from "../shell/drops";
import { isTyping } from "../shell/typing";
import { Bar } from "./Bar";
import { callOurs } from "./callOurs";
import { allCommands, ourCommand } from "./commands";
import { type Desk, deskOf } from "./desk";
import { earlierPrompts, step, type Walk } from "./history";
import { insertMark } from "./marks";
import { Outgoing } from "./Outgoing";
import type { Delivery } from "./outbox";
import { Pictures } from "./Pictures";
import { optionId, PopupList } from "./PopupList";
import { filesMeant } from "./pasted";
import { placeholder } from "./placeholder";
import { Queue } from "./Queue";
import { commandOf, findTrigger, type Inserted } from "./trigger";
import { useDesk, useNarrow, useTouch } from "./use";
import { usePopup } from "./usePopup";

export function Composer() {
  const session = useSession();
  const desk = deskOf(session.id);
  const status = usePart("status");
  const hasAsks = usePart("asks").length > 0;
  const isNarrow = useNarrow();
  const isTouch = useTouch();
  const isKnown = useKnown();
  const catalog = usePart("catalog");
  const isRunning = status.turn !== undefined;
  const text = useDesk(desk, (one) => one.text());
  const field = useRef<HTMLTextAreaElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState(0);
  const [hasFocus, setFocus] = useState(false);
  const [walk, setWalk] = useState<Walk>();
  const popup = usePopup(text, caret, hasFocus);
  const list = useId();
  useKeeping(desk);
  useEscape(session.id, isRunning && status.turn?.interrupting !== true, root);
  useGrowing(field, text);

  const place = usePlacing(field);

  const put = ({ text: next, caret: at }: Inserted) => {
    desk.write(next);
    setCaret(at);
    place(next, at);
  };
  const mark = (sign: "@" | "/") => {
    if (sign === "/") {
      const rest = text === "" ? "" : ` ${text}`;
      return put({ text: text.startsWith("/") ? text : `/${rest}`, caret: 1 });
    }
    const at = field.current?.selectionStart ?? text.length;
    const isGap = at === 0 || /\s/.test(text.charAt(at - 1));
    const words = `${isGap ? "" : " "}@`;
    put({ text: text.slice(0, at) + words + text.slice(at), caret: at + words.length });
  };
  const choose = (at: number) => {
    const option = popup?.options[at];
    // What opens a panel needs no more words.
    if (option?.kind === "command" && option.command.isOurs && doOurs(`/${option.command.name}`)) return true;
    const made = popup?.chosen(at);
    if (made) put(made);
    return made !== undefined;
  };
  /** The next Up begins with what goes now, wherever one was among the earlier ones. */
  const clear = () => {
    setWalk(undefined);
    desk.clear();
  };
  /** Does this page do it? Then it is done. */
  const doOurs = (words: string): boolean => {
    const ours = ourCommand(words, catalog);
    if (ours === undefined) return false;
    clear();
    void callOurs(ours, session.id).then((refusal) => desk.refuse(refusal));
    return true;
  };
  const send = (delivery: Delivery) => {
    if (doOurs(text)) return;
    setWalk(undefined);
    desk.send(delivery);
  };
  const recall = (by: 1 | -1): boolean => {
    const taken = step(earlierPrompts(session, desk.cleared()), walk, by, text);
    if (!taken) return false;
    setWalk(taken.walk);
    put({ text: taken.text, caret: taken.text.length });
    return true;
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter chooses a word while an input method composes.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isChoosing = popup !== undefined && popup.options.length > 0;
    const isOneCaret = selectionStart === selectionEnd;
    const handled = (): boolean => {
      switch (event.key) {
        case "Escape":
          if (popup) popup.dismiss();
          else if (text !== "") clear();
          else return false;
          return true;
        case "Tab":
          return isChoosing && !event.shiftKey && choose(popup.active);
        case "ArrowDown":
        case "ArrowUp":
          if (!isChoosing || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return calls();
          popup.move(event.key === "ArrowUp" ? -1 : 1);
          return true;
        case "Enter": {
          const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
          return (isPlain && isChoosing && choose(popup.active)) || calls();
        }
        default:
          return calls();
      }
    };
    /** The actions that have keys of their own. */
    const calls = (): boolean => {
      const action = pressedOf(["send", "steer", "earlierPrompt", "laterPrompt"], event);
      switch (action) {
        case "earlierPrompt": {
          const before = text.slice(0, selectionStart);
          return isOneCaret && (walk ? !before.includes("\n") : before === "") && recall(1);
        }
        case "laterPrompt":
          return isOneCaret && walk !== undefined && !text.slice(selectionEnd).includes("\n") && recall(-1);
        case "send":
          // A finger has no Shift: there Enter is a new line, and the button sends.
          if (isTouch && event.key === "Enter" && !event.ctrlKey && !event.metaKey) return false;
          send(isRunning ? "afterTurn" : "steer");
          return true;
        case "steer":
          send("steer");
          return true;
        default:
          return false;
      }
    };
    if (handled()) event.preventDefault();
  };
  /** Each goes to where one writes, as a word would. */
  const attach = (files: File[]) => {
    let at: number | undefined;
    void desk.attach(files, (number) => {
      const made = insertMark(desk.text(), at ?? field.current?.selectionStart ?? desk.text().length, number);
      at = made.caret;
      if (made.text !== desk.text()) put(made);
    });
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = filesMeant(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    attach(files);
  };
  const isOver = useFileDrops(attach);
  const called = commandOf(text);
  const command =
    called && !findTrigger(text, caret)
      ? allCommands(catalog).find(({ name, aliases }) => name === called || aliases.includes(called))
      : undefined;
  const isSlim = (hasAsks || isNarrow) && !text.includes("\n");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, only kept from being done.
    <div
      ref={root}
      className={`composer${isSlim ? " slim" : ""}${isOver ? " over" : ""}`}
      // Who presses a button here goes on writing: the keyboard of a phone stays, and nothing moves away under the finger.
      onMouseDown={(event) => {
        const isButton = event.target instanceof Element && event.target.closest("button:not(.grip)");
        if (isButton && document.activeElement === field.current) event.preventDefault();
      }}
    >
      {popup ? <PopupList id={list} popup={popup} onChoose={choose} /> : null}
      <Outgoing desk={desk} />
      <Queue desk={desk} />
      <Pictures desk={desk} />
      <div className="compose">
        <textarea
          ref={field}
          className="text"
          rows={1}
          aria-label="Message"
          aria-autocomplete="list"
          aria-controls={popup ? list : undefined}
          aria-activedescendant={popup && popup.options.length > 0 ? optionId(list, popup.active) : undefined}
          placeholder={placeholder(status, isNarrow, isKnown)}
          enterKeyHint={isTouch ? "enter" : "send"}
          value={text}
          onChange={(event) => {
            setWalk(undefined);
            desk.write(event.target.value);
            setCaret(event.target.selectionStart);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
        />
        {status.suggestion !== undefined && text === "" && !isRunning ? (
          <Suggestion words={status.suggestion} onTake={(words) => put({ text: words, caret: words.length })} />
        ) : null}
        {command?.argumentHint ? (
          <p className="argument mono" aria-live="polite">
            /{called} <span>{command.argumentHint}</span>
          </p>
        ) : null}
        <Bar
          desk={desk}
          isRunning={isRunning}
          isStopping={status.turn?.interrupting === true}
          isSlim={isSlim}
          isTouch={isTouch}
          onAttach={attach}
          onMark={mark}
          onSend={() => send(isRunning ? "afterTurn" : "steer")}
        />
      </div>
    </div>
  );
}

/** What one might ask next, as the agent thinks. */
function Suggestion({ words, onTake }: { words: string; onTake: (words: string) => void }) {
  return (
    <button type="button" className="suggestion cut" title={words} onClick={() => onTake(words)}>
      <span className="faint">Perhaps:</span> {words}
    </button>
  );
}

/** Saves what is typed before the reader goes elsewhere, and sends what had to wait for the server. */
function useKeeping(desk: Desk): void {
  const { kind } = useConnection();
  useEffect(() => {
    if (kind === "live") desk.retryOffline();
  }, [kind, desk]);
  useEffect(() => {
    const leave = () => desk.flushLast();
    const hide = () => {
      if (document.visibilityState === "hidden") desk.flushLast();
    };
    // A picture that is not on the server yet is too large to be sent while the page goes: who leaves is asked.
    const ask = (event: BeforeUnloadEvent) => {
      if (!desk.arePicturesKept()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", hide);
    return () => {
      removeEventListener("beforeunload", ask);
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", hide);
      desk.flush();
    };
  }, [desk]);
}

/** The last rung of the ladder: what nobody else took is about the turn that runs. */
function useEscape(session: string, canStop: boolean, root: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    if (!canStop) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || event.repeat) return;
      if (document.querySelector("dialog[open], :popover-open")) return;
      // Another field has its own use for it.
      if (isTyping(event.target) && !root.current?.contains(event.target as Node)) return;
      interruptOf(session).press();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [session, canStop, root]);
}

/**
 * Puts the caret into a text that is about to be drawn: as soon as the field has it, before the next key can come. A frame later
 * somebody who types on would find the caret moved back.
 */
function usePlacing(field: React.RefObject<HTMLTextAreaElement | null>): (text: string, caret: number) => void {
  const wanted = useRef<{ text: string; caret: number }>(undefined);
  const place = () => {
    const element = field.current;
    if (!element || element.value !== wanted.current?.text) return;
    element.focus();
    element.setSelectionRange(wanted.current.caret, wanted.current.caret);
    wanted.current = undefined;
  };
  useLayoutEffect(place);
  return (text, caret) => {
    wanted.current = { text, caret };
    place();
  };
}

/** Grows with its text where the browser cannot do that by itself. */
function useGrowing(field: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
