// Items and questions as elements. Everything is text: nothing that an agent says becomes markup.

export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export const money = (usd) => `$${usd.toFixed(2)}`;

function time(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

// A path as seen from the session's folder.
export function short(text, folder) {
  return folder && text ? text.replaceAll(`${folder}/`, "") : text;
}

// Bold words, code and headings; all else stays as it was written.
function prose(text) {
  const part = (piece) => {
    if (piece.startsWith("```")) return element("pre", piece.replace(/^```.*\n|\n?```$/g, ""));
    if (piece.startsWith("**")) return element("strong", piece.slice(2, -2));
    if (piece.startsWith("`")) return element("code", piece.slice(1, -1));
    return /^#{1,4} /.test(piece) ? element("strong", piece.replace(/^#+ /, "")) : piece;
  };
  return text.split(/(^```.*\n[^]*?\n```$|\*\*[^*\n]+\*\*|`[^`\n]+`|^#{1,4} .*$)/m).filter(Boolean).map(part);
}

const MARKS = { completed: "✓", failed: "✗", denied: "✗", cancelled: "–", waiting: "?", background: "↻" };
const STATES = { denied: "refused", waiting: "waits for you", background: "in the background", writing: "", completed: "" };

function diff({ hunks }) {
  const pre = element("pre", undefined, { class: "diff" });
  hunks.forEach((hunk, number) => {
    if (number) pre.append(element("span", "⋯", { class: "quiet" }));
    const kinds = { "+": "added", "-": "removed" };
    for (const line of hunk.lines) pre.append(element("span", line || " ", { class: kinds[line[0]] ?? "" }));
  });
  return pre;
}

// What a call does and gave; nothing, if its line says it all.
function view(body, folder) {
  const { view, command, output, content, source, plan } = body;
  if (view === "edit" && body.diff.hunks.length) return diff(body.diff);
  const texts = [command && `$ ${command.text}`, (output ?? content ?? source ?? plan)?.text];
  const text = texts.filter((part) => part?.trim()).join("\n");
  return text ? element("pre", short(text, folder)) : undefined;
}

function tool(item, folder) {
  const { name, title, status, error, view: shown } = item;
  const changed = shown.view === "edit" && shown.diff.hunks.length ? `+${shown.diff.added} −${shown.diff.removed}` : "";
  const line = [name, short(title, folder), changed, STATES[status] ?? status].filter(Boolean).join(" · ");
  const inside = [error?.text && element("pre", error.text), !error && view(shown, folder)].filter(Boolean);
  const head = `${MARKS[status] ?? "…"} ${line}`;
  if (!inside.length) return [element("span", head)];
  const details = element("details");
  // A change that waits is shown with the question.
  details.open = (shown.view === "edit" && status !== "waiting") || Boolean(error);
  details.append(element("summary", head), ...inside);
  return [details];
}

function agent(item) {
  const used = item.toolUses ? `${item.toolUses} ${item.toolUses === 1 ? "tool" : "tools"}` : item.lastTool;
  const words = [`Subagent: ${item.description}`, STATES[item.status] ?? item.status, used].filter(Boolean);
  return [element("span", `${MARKS[item.status] ?? "…"} ${words.join(" · ")}`)];
}

function turn({ outcome, durationMs, costUsd, message }) {
  // An error of the API has a line of its own.
  const more = message?.startsWith("API Error") ? "" : message;
  const how = { completed: "Done", interrupted: "Interrupted", failed: "Failed" }[outcome] ?? outcome;
  return [how, durationMs && time(durationMs), costUsd && money(costUsd), more].filter(Boolean).join(" · ");
}

function compaction({ preTokens, postTokens, error }) {
  const counts = [preTokens, postTokens].filter(Number.isFinite).map((count) => count.toLocaleString("en"));
  return error ? `Context not summed up: ${error}` : `Context summed up: ${counts.join(" → ")} tokens`;
}

// What a line of the conversation consists of; nothing, if there is nothing to see.
export function item({ body }, folder) {
  const text = body.text?.text ?? body.text ?? "";
  switch (body.kind) {
    case "tool": return tool(body, folder);
    case "agent": return agent(body);
    case "text": return prose(text);
    case "turn": return body.outcome === "command" ? [] : [turn(body)];
    case "compaction": return [compaction(body)];
    case "hook": return [`Hook ${body.name}${body.outcome ? `: ${body.outcome}` : ""}`];
    case "unknown": return [`Unknown message ${body.messageType}`];
    default: return text.trim() ? [text] : [];
  }
}

function button(text, press, primary) {
  const made = element("button", text, { type: "button", ...(primary && { class: "primary" }) });
  made.onclick = press;
  return made;
}

function options(question, number, answers) {
  const field = element("fieldset");
  field.append(element("legend", question.question));
  const type = question.multiSelect ? "checkbox" : "radio";
  const other = element("input", undefined, { type: "text", placeholder: "Another answer", "aria-label": "Another answer" });
  const boxes = question.options.map((option) => {
    const label = element("label");
    const box = element("input", undefined, { type, name: `question-${number}`, value: option.label });
    const words = element("span", option.label);
    if (option.description) words.append(element("small", option.description));
    label.append(box, words);
    field.append(label);
    return box;
  });
  field.append(other);
  answers.push(() => {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    if (other.value.trim()) chosen.push(other.value.trim());
    return [question.question, question.multiSelect ? chosen : chosen.at(-1)];
  });
  return field;
}

function heading({ tool: name, view: shown, description, title }, folder) {
  if (shown.view === "edit") return `${shown.diff.created ? "Write" : "Change"} ${short(shown.diff.path, folder)}?`;
  if (shown.view === "command") return description ?? "Run a command?";
  return `Use ${name}? ${short(description ?? title, folder)}`;
}

// A question with its buttons; `answer` is called with what was decided.
export function ask({ id, body }, folder, answer) {
  const article = element("article", undefined, { "data-ask": id });
  const buttons = element("div", undefined, { class: "buttons" });
  if (body.kind === "question") {
    const answers = [];
    article.append(...body.questions.map((question, number) => options(question, number, answers)));
    const give = () => answer({ kind: "answer", answers: Object.fromEntries(answers.map((read) => read()).filter(([, chosen]) => chosen?.length)) });
    buttons.append(button("Answer", give, true), button("Decline", () => answer({ kind: "deny" })));
    article.append(buttons);
    return article;
  }
  const why = element("input", undefined, { type: "text", placeholder: "If not: why?", "aria-label": "Why not" });
  const deny = () => answer({ kind: "deny", ...(why.value.trim() && { why: why.value.trim() }) });
  if (body.kind === "plan") {
    const plan = element("div", undefined, { class: "plan" });
    plan.append(...prose(body.plan.text));
    buttons.append(button("Approve", () => answer({ kind: "allow" }), true), button("Not yet", deny), why);
    article.append(element("h3", "Approve this plan?"), plan, buttons);
  } else if (body.kind === "permission") {
    article.append(element("h3", heading(body, folder)), view(body.view, folder) ?? element("pre", body.input.text));
    buttons.append(button("Allow", () => answer({ kind: "allow" }), true), button("Deny", deny), why);
    article.append(buttons);
    if (body.suggestions.length && !body.suppressAlwaysAllow) article.append(remember(body.suggestions, answer, folder));
  } else {
    article.append(element("h3", body.message?.text ?? "The agent shows a dialog that this page does not know."));
    if (body.url) article.append(element("pre", body.url));
    if (body.mode === "url") buttons.append(button("Done", () => answer({ kind: "accept" }), true));
    buttons.append(button("Cancel", () => answer({ kind: "cancel" })));
    article.append(buttons);
  }
  return article;
}

function remember(suggestions, answer, folder) {
  const details = element("details");
  details.append(element("summary", "Allow, and do not ask again"));
  suggestions.forEach(({ label }, suggestion) => {
    details.append(button(short(label, folder), () => answer({ kind: "allow", remember: [{ suggestion }] })));
  });
  return details;
}
