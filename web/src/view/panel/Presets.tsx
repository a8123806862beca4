// Ways to start a session that were kept in the dialog for a new one: seen, renamed, removed.

import { useState } from "react";
import type { Options } from "../../api/server";
import { changeOwn, useOwn } from "../../store/own";
import { Icon } from "../Icon";
import { placeHref } from "../route";
import { TitleField } from "../shell/TitleField";
import { offerUndo } from "../shell/toasts";
import { useAction } from "../shell/useAction";
import { dollars, lastPart, modelName, modeWords } from "../words";
import { Fault, Section } from "./parts";

export function Presets() {
  const { presets } = useOwn();
  const { run, error } = useAction();
  const [naming, setNaming] = useState<string>();
  const names = Object.keys(presets).sort((a, b) => a.localeCompare(b));
  const rename = (from: string, to: string) => {
    const options = presets[from];
    if (to === "" || to === from || options === undefined) return;
    run(async () => {
      if (presets[to] !== undefined) throw new Error(`There is another preset called “${to}”.`);
      await changeOwn({ presets: { [to]: options, [from]: null } });
    });
  };
  const drop = (name: string, options: Options) =>
    run(
      () => changeOwn({ presets: { [name]: null } }),
      () => offerUndo(`Removed preset “${name}”`, () => run(() => changeOwn({ presets: { [name]: options } }))),
    );
  return (
    <Section title="Presets" hint="Options for new sessions, kept under a name.">
      <Fault words={error} />
      {names.length === 0 ? (
        <p className="muted">
          None yet.{" "}
          <a className="link" href={placeHref({ page: "new" })}>
            Start a session
          </a>{" "}
          and keep its options under Presets.
        </p>
      ) : null}
      <ul className="rows">
        {names.map((name) => {
          const options = presets[name] ?? {};
          return (
            <li key={name}>
              <Icon name="play" />
              {naming === name ? (
                <TitleField title={name} onKeep={(text) => rename(name, text)} onLeave={() => setNaming(undefined)} />
              ) : (
                <>
                  <span className="cut">{name}</span>
                  <span className="hint cut grow">{optionWords(options)}</span>
                </>
              )}
              <button
                type="button"
                className="btn quiet sm"
                aria-label={`Rename ${name}`}
                onClick={() => setNaming(name)}
              >
                Rename
              </button>
              <button
                type="button"
                className="btn quiet sm"
                aria-label={`Remove ${name}`}
                onClick={() => drop(name, options)}
              >
                Remove
              </button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** What is special about it, in a few words. */
function optionWords(options: Options): string {
  const words = [
    options.cwd === undefined ? undefined : lastPart(options.cwd),
    options.model === undefined ? undefined : modelName(options.model),
    options.mode === undefined ? undefined : modeWords(options.mode),
    options.effort === undefined ? undefined : `effort ${options.effort}`,
    options.maxBudgetUsd === undefined ? undefined : `stops at ${dollars(options.maxBudgetUsd)}`,
  ];
  return words.filter((word) => word !== undefined).join(" · ");
}
