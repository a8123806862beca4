// A button that leads from the inspector to an item of the conversation.

import { useSession } from "../../store/use";
import { Icon } from "../Icon";
import { reveal } from "../timeline/reveal";
import { BESIDE, closeInspector } from "./shown";

/** When both take turns, the conversation must be there first. */
const TURN_MS = 80;

function useShowItem(): (item: string) => void {
  const session = useSession();
  return (item) => {
    if (matchMedia(BESIDE).matches) {
      reveal(session, item);
      return;
    }
    closeInspector(session.id);
    setTimeout(() => reveal(session, item), TURN_MS);
  };
}

/** `what` says which one, for who cannot see where the button stands. */
export function ShowInConversation({ item, what }: { item: string; what: string }) {
  const show = useShowItem();
  return (
    <button
      type="button"
      className="ibtn sm"
      aria-label={`Show in conversation: ${what}`}
      title="Show in conversation"
      onClick={() => show(item)}
    >
      <Icon name="message" />
    </button>
  );
}
