// Asks once more before nobody is asked any more: what it means in, the second and explicit yes out.

import { Confirm } from "../shell/Dialog";

export function ConfirmBypass({ onConfirm, onClose }: { onConfirm: () => void; onClose: () => void }) {
  return (
    <Confirm
      title="Run everything without asking?"
      text="The agent edits, deletes, runs commands and uses the network as you, and nobody is asked. Only where nothing can be lost."
      verb="Bypass permissions"
      doing="Changing"
      isBusy={false}
      error={undefined}
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
      onClose={onClose}
    />
  );
}
