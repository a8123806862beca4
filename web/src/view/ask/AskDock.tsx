// What the agent asks, above where one writes: one prompt at a time, the longest wait first; on a phone as a sheet.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Ask } from "../../generated";
import { usePart, useSession } from "../../store/use";
import { deskOf } from "../composer/desk";
import { useNarrow } from "../composer/use";
import { Icon } from "../Icon";
import { isTyping } from "../shell/typing";
import { type Dock, DockContext, focusFirst } from "./control";
import { DialogCard } from "./DialogCard";
import { ElicitationCard } from "./ElicitationCard";
import { PermissionCard } from "./PermissionCard";
import { PlanCard } from "./PlanCard";
import { QuestionCard } from "./QuestionCard";
import { Sheet, SheetBar } from "./Sheet";
import { askTitle, titleText } from "./titles";
import { type Gone, useAsks } from "./useAsks";

export function AskDock() {
  const { open, current, gone, show, noteAnswer, wasOurs } = useAsks();
  const isSheet = useNarrow();
  const root = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const shownAt = useRef(0);
  const leave = useCallback(() => {
    setOpen(false);
    composerOf(root.current)?.focus();
  }, []);
  const number = current ? open.indexOf(current) + 1 : 0;
  const dock: Dock = useMemo(
    () => ({
      isSheet,
      number,
      count: open.length,
      show,
      noteAnswer,
      leave,
      shownAt: () => shownAt.current,
    }),
    [isSheet, number, open.length, show, noteAnswer, leave],
  );
  useFocus({ current, root, isSheet, isOpen, shownAt, wasOurs, setOpen });

  // They are drawn into one element, which goes to where they are shown: who turns a phone keeps what he has typed.
  const [slots] = useState(newSlots);
  const cards = open.map((ask) => (
    <div key={ask.id} hidden={ask !== current} className="ask-slot">
      <AskCard ask={ask} />
    </div>
  ));
  return (
    <DockContext value={dock}>
      <div ref={root} className="asks">
        {gone.map((one) => (
          <GoneNotice key={one.ask.id} gone={one} />
        ))}
        {!isSheet || !current ? (
          <Place of={slots} />
        ) : (
          <>
            <CurrentBar ask={current} onOpen={() => setOpen(true)} />
            <Sheet isOpen={isOpen} onClose={() => setOpen(false)}>
              <Place of={slots} />
            </Sheet>
          </>
        )}
        {createPortal(cards, slots)}
      </div>
    </DockContext>
  );
}

function newSlots(): HTMLElement {
  const slots = document.createElement("div");
  slots.className = "ask-slots";
  return slots;
}

/** Where the prompts are shown. */
function Place({ of }: { of: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(of);
  }, [of]);
  return <div ref={place} className="ask-slots" />;
}

/** What became of a question that somebody else answered, or nobody. */
function GoneNotice({ gone }: { gone: Gone }) {
  const folder = usePart("status").cwd;
  const icon = gone.outcome === "allowed" ? "okring" : gone.outcome === "denied" ? "bad" : "blocked";
  return (
    <p className="gone" role="status">
      <Icon name={icon} />
      <span className="strong">{gone.words}</span>
      <span className="cut">{titleText(askTitle(gone.ask.body, folder))}</span>
    </p>
  );
}

function CurrentBar({ ask, onOpen }: { ask: Ask; onOpen: () => void }) {
  const folder = usePart("status").cwd;
  return <SheetBar ask={ask} title={titleText(askTitle(ask.body, folder))} onOpen={onOpen} />;
}

/** The prompt for one question, by its kind. */
export function AskCard({ ask }: { ask: Ask }) {
  const { body } = ask;
  switch (body.kind) {
    case "permission":
      return <PermissionCard ask={ask} body={body} />;
    case "question":
      return <QuestionCard ask={ask} body={body} />;
    case "plan":
      return <PlanCard ask={ask} body={body} />;
    case "elicitation":
      return <ElicitationCard ask={ask} body={body} />;
    case "dialog":
      return <DialogCard ask={ask} body={body} />;
    default:
      return body satisfies never;
  }
}

function composerOf(root: Element | null): HTMLTextAreaElement | null | undefined {
  return root?.parentElement?.querySelector<HTMLTextAreaElement>(".composer textarea.text");
}

/** May a prompt that has just come take the focus? Not from somebody who types, or is busy with something that is open. */
function mayTakeFocus(root: Element | null, isEmpty: boolean): boolean {
  if (document.visibilityState === "hidden" || !isEmpty) return false;
  if (document.querySelector("dialog[open], :popover-open")) return false;
  const active = document.activeElement;
  return !isTyping(active) || active === composerOf(root);
}

/** A new prompt takes the focus if it may; after an answer the next one has it, after the last one the composer. */
function useFocus(props: {
  current: Ask | undefined;
  root: RefObject<HTMLDivElement | null>;
  isSheet: boolean;
  isOpen: boolean;
  shownAt: RefObject<number>;
  wasOurs: () => boolean;
  setOpen: (isOpen: boolean) => void;
}): void {
  const { current, root, isSheet, isOpen, shownAt, wasOurs, setOpen } = props;
  const session = useSession();
  const last = useRef<string>(undefined);
  const hadFocus = useRef(false);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const enter = () => {
      hadFocus.current = true;
    };
    // What is taken out of the page with the focus in it says no goodbye: then the focus was here.
    const away = (event: FocusEvent) => {
      if (event.relatedTarget && !element.contains(event.relatedTarget as Node)) hadFocus.current = false;
    };
    element.addEventListener("focusin", enter);
    element.addEventListener("focusout", away);
    return () => {
      element.removeEventListener("focusin", enter);
      element.removeEventListener("focusout", away);
    };
  }, [root]);
  const id = current?.id;
  useEffect(() => {
    if (id === last.current) return;
    const isNext = last.current !== undefined;
    last.current = id;
    const follows = isNext && (hadFocus.current || wasOurs()) && !isWriting(root.current);
    if (id === undefined) {
      setOpen(false);
      if (follows && !isSheet) composerOf(root.current)?.focus();
      hadFocus.current = false;
      return;
    }
    shownAt.current = performance.now();
    if (!follows && !mayTakeFocus(root.current, deskOf(session.id).isEmpty())) return;
    setOpen(true);
    // The card is drawn; a sheet still has to open.
    if (!isSheet || isOpen) focusPrompt(root.current, id);
  }, [id, root, isSheet, isOpen, shownAt, wasOurs, setOpen, session]);
  useEffect(() => {
    if (last.current === undefined) return;
    // A phone that was turned has taken the sheet away, with the focus in it.
    const wasTurned = hadFocus.current && document.activeElement === document.body;
    if (isSheet ? isOpen : wasTurned) focusPrompt(root.current, last.current);
  }, [isSheet, isOpen, root]);
}

function isWriting(root: Element | null): boolean {
  const active = document.activeElement;
  return isTyping(active) && !root?.contains(active) && (active as HTMLTextAreaElement).value !== "";
}

function focusPrompt(root: Element | null, id: string): void {
  focusFirst(root?.querySelector<HTMLElement>(`form[data-ask="${CSS.escape(id)}"]`));
}
