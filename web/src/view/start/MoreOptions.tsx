// What is seldom needed, folded away: more folders, tools, MCP servers, prompts, limits.

import { useId, useState } from "react";
import { Icon } from "../Icon";
import { TextField } from "./fields";
import { countSet, type Form, type FormErrors, MORE_FIELDS, SOURCES } from "./form";

type Props = { form: Form; errors: FormErrors; onChange: (change: Partial<Form>) => void };

export function MoreOptions({ form, errors, onChange }: Props) {
  const id = useId();
  const used = countSet(form);
  const hasError = MORE_FIELDS.some((field) => errors[field] !== undefined);
  const [wanted, setOpen] = useState(false);
  const isOpen = wanted || hasError;
  return (
    <div className="more-options">
      <button
        type="button"
        className="disclose"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? "down" : "right"} />
        More options
        <span className="hint cut">
          {used > 0 ? `${used} set` : "extra folders, tools, MCP servers, system prompt"}
        </span>
      </button>
      <div id={id} hidden={!isOpen} className="more-fields">
        {isOpen ? <Fields form={form} errors={errors} onChange={onChange} /> : null}
      </div>
    </div>
  );
}

function Fields({ form, errors, onChange }: Props) {
  const field = (name: (typeof MORE_FIELDS)[number]) => ({
    value: form[name],
    error: errors[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  const tick = (name: "strictMcp" | (typeof SOURCES)[number][1]) => ({
    isOn: form[name],
    onChange: (isOn: boolean) => onChange({ [name]: isOn }),
  });
  return (
    <>
      <Part title="Session" />
      <div className="grid2">
        <TextField label="Title" placeholder="The agent finds one" {...field("title")} />
        <TextField label="Rounds in a turn, at most" placeholder="No limit" {...field("maxTurns")} />
      </div>
      <TextField label="Models to fall back to" hint="One per line" rows={2} isCode {...field("fallbackModels")} />
      <TextField
        label="More folders that it may work in"
        hint="One per line"
        rows={2}
        isCode
        {...field("directories")}
      />
      <Part title="Tools" />
      <div className="grid2">
        <TextField
          label="Allowed without asking"
          hint="One rule per line"
          placeholder="Bash(git *)"
          rows={3}
          isCode
          {...field("allowedTools")}
        />
        <TextField
          label="Forbidden"
          hint="One rule per line"
          placeholder="WebFetch"
          rows={3}
          isCode
          {...field("disallowedTools")}
        />
      </div>
      <TextField
        label="Only these built-in tools"
        hint="One name per line; all of them if it is empty"
        placeholder="Read"
        rows={2}
        isCode
        {...field("tools")}
      />
      <Part title="Prompt and agents" />
      <TextField label="Added to the system prompt" rows={3} {...field("appendSystemPrompt")} />
      <TextField label="Instead of the system prompt" rows={3} {...field("systemPrompt")} />
      <TextField label="Agent that leads" placeholder="The usual one" {...field("agent")} />
      <TextField
        label="Subagents of this session"
        hint="JSON: by name, each with description and prompt"
        rows={2}
        isCode
        {...field("agents")}
      />
      <Part title="MCP servers" />
      <div className="grid2">
        <TextField label="Files with MCP servers" hint="One path per line" rows={2} isCode {...field("mcpFiles")} />
        <TextField
          label="MCP servers"
          hint="JSON, as the CLI’s own file has them"
          rows={2}
          isCode
          {...field("mcpServers")}
        />
      </div>
      <Tick label="Only these MCP servers, none of your own" {...tick("strictMcp")} />
      <Part title="Settings files" />
      <fieldset className="ticks">
        <legend className="label">Which are read</legend>
        {SOURCES.map(([source, name, words]) => (
          <Tick key={source} label={words} {...tick(name)} />
        ))}
      </fieldset>
      <TextField
        label="More settings, on top of those"
        hint="JSON, as a settings file has them"
        rows={2}
        isCode
        {...field("settings")}
      />
    </>
  );
}

/** What follows is about this. */
function Part({ title }: { title: string }) {
  return <h3 className="more-part">{title}</h3>;
}

function Tick({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId();
  return (
    <label className="tick" htmlFor={id}>
      <input id={id} type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
