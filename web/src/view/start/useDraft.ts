// What is being written for a session that is not begun yet: the message is kept by the server, the rest in the browser.

import { useCallback, useEffect, useRef, useState } from "react";
import { get, inSession, put } from "../../api/http";
import { keepText, keptText } from "../../store/browser";
import { type Form, keptForm } from "./form";

const NOBODY = "00000000-0000-0000-0000-000000000000";
const KEY = "quarterdeck.new";
const SAVE_MS = 400;

/** What was typed lives longer than the dialog, so that closing it by mistake costs nothing even without a server. */
let lastMessage: string | undefined;

/** A message that is `given` from elsewhere is no draft: what was written before stays kept, and is there again the next time. */
export function useMessageDraft(given?: string): [string, (text: string) => void, () => void] {
  const [text, setText] = useState(given ?? lastMessage ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTouched = useRef(given !== undefined || lastMessage !== undefined);
  useEffect(() => {
    if (isTouched.current) return;
    get<{ text: string }>(inSession(NOBODY, "draft")).then(
      (draft) => {
        if (!isTouched.current) setText(draft.text);
      },
      // Then it begins empty.
      () => {},
    );
  }, []);
  const save = useCallback((words: string) => {
    put(inSession(NOBODY, "draft"), { text: words }).catch(() => {});
  }, []);
  useEffect(
    () => () => {
      // Closed before it was kept: it is kept now.
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      if (lastMessage !== undefined) save(lastMessage);
    },
    [save],
  );
  if (given !== undefined) return [text, setText, () => {}];
  const change = (words: string) => {
    isTouched.current = true;
    lastMessage = words;
    setText(words);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      save(words);
    }, SAVE_MS);
  };
  const clear = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    lastMessage = undefined;
    save("");
  };
  return [text, change, clear];
}

export const loadForm = (): Form => keptForm(keptText(KEY));

export const saveForm = (form: Form): void => keepText(KEY, JSON.stringify(form));
