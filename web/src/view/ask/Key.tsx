// The key that does the same as what it stands in. Not for those who hear the page, and not where there are no keys.

import { Arc } from "../Icon";
import type { ActionId } from "../keys/actions";
import { Caps } from "../keys/Caps";
import { useDock } from "./control";

export function Key(props: { children: React.ReactNode } | { action: ActionId }) {
  const { isSheet } = useDock();
  return isSheet ? null : (
    <span className="key" aria-hidden="true">
      {"action" in props ? <Caps action={props.action} /> : <kbd>{props.children}</kbd>}
    </span>
  );
}

/** What a key does that has no button. */
export function KeyHint({ name, does }: { name: string; does: string }) {
  const { isSheet } = useDock();
  return isSheet ? null : (
    <span className="hint">
      <kbd>{name}</kbd> {does}
    </span>
  );
}

/** What a button says; while its answer is on the way, that. */
export function Label({ isSending, words }: { isSending: boolean; words: string }) {
  return isSending ? (
    <>
      <Arc className="" />
      Sending
    </>
  ) : (
    words
  );
}
