// What the agent of this session can do, as it says itself: found by any word; a command that is chosen stands where one writes.

import { useMemo, useState } from "react";
import { useKnown, usePart, useSession } from "../../store/use";
import { deskOf } from "../composer/desk";
import { replacePlace } from "../route";
import { enterComposer } from "../shell/regions";
import { SearchField } from "../shell/SearchField";
import { useAbout } from "../useAbout";
import { type Entry, fittingGroups, helpFacts, helpGroups } from "./help";
import { Section } from "./parts";

export function Help() {
  const { id } = useSession();
  const status = usePart("status");
  const catalog = usePart("catalog");
  const isKnown = useKnown();
  const { about } = useAbout();
  const [query, setQuery] = useState("");
  const groups = useMemo(() => helpGroups(catalog), [catalog]);
  const shown = fittingGroups(groups, query);
  const facts = helpFacts(status, catalog, about?.version);
  const call = (command: string) => {
    deskOf(id).callCommand(command);
    enterComposer();
    replacePlace({ page: "session", id });
  };
  return (
    <>
      <div className="panel-tools">
        <SearchField label="Find commands, tools, skills, agents" value={query} onChange={setQuery} />
      </div>
      {isKnown ? null : <p className="muted">Nothing was heard of this session yet.</p>}
      {query.trim() === "" ? (
        <Section title="Versions and account">
          <dl className="fact-list wide">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Section>
      ) : null}
      {shown.map((group) => (
        <Section
          key={group.title}
          title={group.title}
          extra={<span className="num faint">{group.entries.length}</span>}
        >
          {group.entries.length === 0 ? <p className="muted">{group.empty}</p> : null}
          <ul className="rows help-rows">
            {group.entries.map((entry) => (
              <li key={entry.name}>
                <HelpLine entry={entry} onCall={call} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {query.trim() === "" && catalog.capabilities.length > 0 ? (
        <Section title="What this version can do over the protocol">
          <p className="capabilities mono">{catalog.capabilities.join(", ")}</p>
        </Section>
      ) : null}
      {shown.length === 0 ? <p className="empty">Nothing found for “{query}”. Try fewer words.</p> : null}
    </>
  );
}

function HelpLine({ entry, onCall }: { entry: Entry; onCall: (command: string) => void }) {
  const { name, isCode, hint, words, tags, command } = entry;
  const label = <span className={isCode ? "mono help-name" : "help-name"}>{name}</span>;
  return (
    <>
      <span className="help-what">
        {command === undefined ? (
          label
        ) : (
          <button type="button" className="help-write" title="Put it where you write" onClick={() => onCall(command)}>
            {label}
          </button>
        )}
        {hint === undefined ? null : <span className="mono faint">{hint}</span>}
      </span>
      <span className="help-words">{words}</span>
      <span className="help-tags">
        {tags.map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </span>
    </>
  );
}
