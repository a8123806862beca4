// The dialogs about a session: which one is asked for comes from `asked.ts`. Loaded when the first is asked for.

import { type Asked, askAbout } from "../asked";
import { ForkDialog } from "./ForkDialog";
import { RemoveDialog } from "./RemoveDialog";
import { RenameDialog } from "./RenameDialog";
import { RewindDialog } from "./RewindDialog";
import { SummaryDialog } from "./SummaryDialog";
import { TwoWritersDialog } from "./TwoWritersDialog";

const close = (): void => askAbout(undefined);

export default function SessionDialogs({ asked }: { asked: Asked }) {
  switch (asked.kind) {
    case "rename":
      return <RenameDialog id={asked.id} onClose={close} />;
    case "remove":
      return <RemoveDialog id={asked.id} onClose={close} />;
    case "fork":
      return <ForkDialog id={asked.id} item={asked.item} onClose={close} />;
    case "rewind":
      return <RewindDialog id={asked.id} item={asked.item} onClose={close} />;
    case "summary":
      return <SummaryDialog id={asked.id} onClose={close} />;
    case "twoWriters":
      return <TwoWritersDialog id={asked.id} why={asked.why} onClose={close} />;
    default:
      return asked satisfies never;
  }
}
