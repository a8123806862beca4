// Another title, where there is no place to change it in.

import { type FormEvent, useId, useState } from "react";
import { useSessions } from "../../../store/use";
import { Dialog } from "../../shell/Dialog";
import { rename } from "../actions";

export function RenameDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const sessions = useSessions();
  const field = useId();
  const before = sessions.title(id) ?? "";
  const [title, setTitle] = useState(before);
  const keep = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() !== before) rename(sessions, id, title.trim());
    onClose();
  };
  return (
    <Dialog title="Rename this session" className="confirm" onClose={onClose}>
      <form className="start-form" onSubmit={keep}>
        <div className="dialog-body">
          <div className="field">
            <label htmlFor={field}>Title</label>
            <input
              id={field}
              data-autofocus
              className="input"
              value={title}
              maxLength={200}
              placeholder="Title of the agent"
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => setTitle(event.target.value)}
            />
            <p className="hint">An empty one gives back the title that the agent found.</p>
          </div>
        </div>
        <div className="dialog-foot">
          <span className="grow" />
          <button type="button" className="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn primary">
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
