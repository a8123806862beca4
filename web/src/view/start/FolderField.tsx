// In which folder the agent works: typed and completed, chosen from those of other sessions, or looked for in the folders that are allowed.
// One that is not allowed yet can be allowed here, after a word of warning.

import { useEffect, useState } from "react";
import { ApiError } from "../../api/http";
import { allowRoot, type Folders, folders } from "../../api/server";
import { useSessionList } from "../../store/use";
import { Icon } from "../Icon";
import { Failure } from "../shell/Failure";
import { Menu, type MenuSection } from "../shell/Menu";
import { useAction } from "../shell/useAction";
import { useAbout } from "../useAbout";
import { lastPart } from "../words";
import { FolderInput } from "./FolderInput";
import { Field } from "./fields";

const CHECK_MS = 350;
const RECENT = 6;

type Props = { value: string; error: string | undefined; onChange: (path: string) => void };

type Found = { kind: "unknown" } | { kind: "there" } | { kind: "outside" } | { kind: "wrong"; why: string };

export function FolderField({ value, error, onChange }: Props) {
  const { about, again } = useAbout();
  const recent = useRecentFolders();
  const [isBrowsing, setBrowsing] = useState(false);
  const [found, recheck] = useFolder(value);
  const choose = (path: string) => ({ label: path, choose: () => onChange(path) });
  const sections: MenuSection[] = [
    { heading: "Lately", entries: recent.map(choose) },
    { heading: "Allowed", entries: (about?.roots ?? []).filter((root) => !recent.includes(root)).map(choose) },
    { entries: [{ label: "Browse …", icon: "folder" as const, choose: () => setBrowsing(true) }] },
  ].filter(({ entries }) => entries.length > 0);
  const why = error ?? (found.kind === "wrong" ? found.why : undefined);
  return (
    <div className="folder-field">
      <Field label="Folder" error={why}>
        {(control) => (
          <div className={why === undefined ? "input joined" : "input joined error"}>
            <FolderInput
              {...control}
              value={value}
              roots={about?.roots ?? []}
              home={about?.home}
              placeholder="~/project"
              onChange={onChange}
            />
            <Menu
              label="Choose a folder"
              isIcon
              className="ibtn sm"
              button={<Icon name="down" />}
              sections={sections}
            />
          </div>
        )}
      </Field>
      {found.kind === "outside" ? (
        <Allow
          path={value}
          onAllowed={() => {
            again();
            recheck();
          }}
        />
      ) : null}
      {isBrowsing ? <Browser start={value} onChoose={onChange} onClose={() => setBrowsing(false)} /> : null}
    </div>
  );
}

/** The folders of other sessions, the last one first. */
export function useRecentFolders(): string[] {
  const list = useSessionList();
  const byTime = [...list].sort((a, b) => b.since - a.since);
  return [...new Set(byTime.flatMap((row) => row.cwd ?? []))].slice(0, RECENT);
}

/** Is there such a folder, and may agents work there? Asked when the typing stops. */
function useFolder(path: string): [Found, () => void] {
  const [found, setFound] = useState<Found>({ kind: "unknown" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    // Asked again when somebody has allowed it.
    void turn;
    setFound({ kind: "unknown" });
    if (path.trim() === "") return;
    let isOver = false;
    const tell = (now: Found) => isOver || setFound(now);
    const timer = setTimeout(() => {
      folders(path.trim()).then(
        () => tell({ kind: "there" }),
        (cause: unknown) => {
          if (!(cause instanceof ApiError) || cause.code === "offline") return;
          tell(cause.code === "outside_roots" ? { kind: "outside" } : { kind: "wrong", why: cause.message });
        },
      );
    }, CHECK_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [path, turn]);
  return [found, () => setTurn((now) => now + 1)];
}

function Allow({ path, onAllowed }: { path: string; onAllowed: () => void }) {
  const { run, isBusy, error } = useAction();
  return (
    <div className="warning">
      <Icon name="warn" className="is-warn" />
      <div>
        <p>
          Agents may not work in <code>{path}</code> yet. Allowing it lets every session read and change what is in it.
        </p>
        {error === undefined ? null : (
          <p role="alert" className="is-danger">
            {error}
          </p>
        )}
        <button
          type="button"
          className="btn sm"
          disabled={isBusy}
          onClick={() => run(() => allowRoot(path.trim()), onAllowed)}
        >
          {isBusy ? "Allowing" : "Allow this folder"}
        </button>
      </div>
    </div>
  );
}

/** Goes through the folders that are allowed, from the roots down. */
function Browser({
  start,
  onChoose,
  onClose,
}: {
  start: string;
  onChoose: (path: string) => void;
  onClose: () => void;
}) {
  const [at, setAt] = useState<Folders>();
  const { run, error } = useAction();
  const open = (path: string | undefined) => run(async () => setAt(await folders(path)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins where the field is, once.
  useEffect(() => {
    run(async () => setAt(await folders(start || undefined).catch(() => folders())));
  }, []);
  const path = at?.path ?? undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a part of the form.
    <div className="browser" role="group" aria-label="Folders">
      <div className="browser-head">
        {path === undefined ? null : (
          <button type="button" className="ibtn sm" aria-label="The folder above" onClick={() => open(parentOf(path))}>
            <Icon name="up" />
          </button>
        )}
        <code className="cut">{path ?? "Allowed folders"}</code>
        <span className="grow" />
        {path === undefined ? null : (
          <button
            type="button"
            className="btn sm"
            onClick={() => {
              onChoose(path);
              onClose();
            }}
          >
            Use this folder
          </button>
        )}
        <button type="button" className="ibtn sm" aria-label="Close the folders" onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <Failure words={error} />
      <ul>
        {at?.folders.map((folder) => (
          <li key={folder}>
            <button type="button" onClick={() => open(folder)}>
              <Icon name="folder" />
              <span className="cut">{path === undefined ? folder : lastPart(folder)}</span>
            </button>
          </li>
        ))}
        {at?.folders.length === 0 ? <li className="hint">No folders in it.</li> : null}
      </ul>
    </div>
  );

  /** Above a root there are only the roots. */
  function parentOf(path: string): string | undefined {
    const above = path.replace(/\/[^/]+\/?$/, "");
    return above === "" || path === above ? undefined : above;
  }
}
