// What is seldom needed, folded away: more folders, tools, MCP servers, prompts, limits.

import { useId, useState } from "react";
import { Icon } from "../Icon";
import { TextField } from "./fields";
import { type Form, type FormErrors, MORE_FIELDS } from "./form";

type Props = { form: Form; errors: FormErrors; onChange: (change: Partial<Form>) => void };

export function MoreOptions({ form, errors, onChange }: Props) {
  const id = useId();
  const used = MORE_FIELDS.filter((field) => form[field] !== "").length + (form.strictMcp ? 1 : 0);
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
  const strictId = useId();
  return (
    <>
      <div className="grid2">
        <TextField label="Title" placeholder="The agent finds one" {...field("title")} />
        <TextField label="Agent that leads" placeholder="The usual one" {...field("agent")} />
        <TextField label="Rounds in a turn, at most" placeholder="No limit" {...field("maxTurns")} />
        <TextField label="Models to fall back to" hint="One in a line" rows={2} isCode {...field("fallbackModels")} />
      </div>
      <TextField
        label="More folders that it may work in"
        hint="One in a line"
        rows={2}
        isCode
        {...field("directories")}
      />
      <div className="grid2">
        <TextField
          label="Allowed without asking"
          hint="One rule in a line"
          placeholder="Bash(git *)"
          rows={3}
          isCode
          {...field("allowedTools")}
        />
        <TextField
          label="Forbidden"
          hint="One rule in a line"
          placeholder="WebFetch"
          rows={3}
          isCode
          {...field("disallowedTools")}
        />
      </div>
      <TextField label="Added to the system prompt" rows={3} {...field("appendSystemPrompt")} />
      <TextField label="Instead of the system prompt" rows={3} {...field("systemPrompt")} />
      <div className="grid2">
        <TextField label="Files with MCP servers" hint="One path in a line" rows={2} isCode {...field("mcpFiles")} />
        <TextField
          label="MCP servers"
          hint="JSON, as the CLI’s own file has them"
          rows={2}
          isCode
          {...field("mcpServers")}
        />
      </div>
      <label className="tick" htmlFor={strictId}>
        <input
          id={strictId}
          type="checkbox"
          checked={form.strictMcp}
          onChange={(event) => onChange({ strictMcp: event.target.checked })}
        />
        Only these MCP servers, none of your own
      </label>
    </>
  );
}
