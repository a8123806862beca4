// The folders that agents may work in: seen, added, taken back.

import { type FormEvent, useState } from "react";
import { forbidRoot, roots } from "../../api/own";
import { allowRoot } from "../../api/server";
import { Icon } from "../Icon";
import { useAction } from "../shell/useAction";
import { Fault, Section } from "./parts";
import { useLoaded } from "./useLoaded";

export function Folders() {
  const { value, error, again } = useLoaded(roots);
  const adding = useAction();
  const removing = useAction();
  const [path, setPath] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() === "") return;
    adding.run(
      () => allowRoot(path.trim()),
      () => {
        setPath("");
        again();
      },
    );
  };
  return (
    <Section
      title="Folders for agents"
      hint="Agents are started in these folders and in those inside of them, and nowhere else."
    >
      <Fault words={error ?? removing.error} />
      {value?.length === 0 ? <p className="muted">None yet.</p> : null}
      <ul className="rows">
        {value?.map((root) => (
          <li key={root}>
            <Icon name="folder" />
            <code className="cut-start grow" title={root}>
              <bdi>{root}</bdi>
            </code>
            <button
              type="button"
              className="btn quiet sm"
              aria-label={`Take back ${root}`}
              disabled={removing.isBusy}
              onClick={() => removing.run(() => forbidRoot(root), again)}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
      <form className="inline-form" onSubmit={add}>
        <input
          className="input mono"
          aria-label="Another folder, by its whole path"
          placeholder="~/src"
          spellCheck={false}
          autoCapitalize="off"
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
        <button type="submit" className="btn" disabled={adding.isBusy || path.trim() === ""}>
          {adding.isBusy ? "Allowing" : "Allow"}
        </button>
      </form>
      <Fault words={adding.error} />
    </Section>
  );
}
