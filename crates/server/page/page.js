// A short page: the list of sessions, and one of them as it goes on. It draws texts, never markup.
const $ = (id) => document.getElementById(id);
const rows = new Map();
let list = { epoch: "", revision: 0 };
let watched = { session: "", epoch: "", seq: 0, state: undefined };
let socket;

async function call(method, path, body) {
  const headers = { "content-type": "application/json", "x-quarterdeck": "1" };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(`api/v1/${path}`, { method, headers, body: sent });
  if (response.status === 401) location.reload();
  if (!response.ok) throw new Error((await response.json()).error.message);
  return response.status === 204 ? undefined : response.json();
}

async function act(work) {
  $("trouble").textContent = "";
  try {
    await work();
  } catch (error) {
    $("trouble").textContent = error.message;
  }
}

// The connection: when it breaks, it is made again, and both feeds go on where they were.
async function connect() {
  let ticket;
  try {
    ({ ticket } = await call("POST", "socket-tickets", {}));
  } catch {
    $("connection").textContent = "offline, trying again …";
    setTimeout(connect, 2000);
    return;
  }
  const address = new URL(`api/v1/socket?ticket=${ticket}`, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.onopen = () => {
    $("connection").textContent = "live";
    say({ kind: "list", ...list });
    if (watched.session) watch(watched.session);
  };
  socket.onmessage = (message) => hear(JSON.parse(message.data));
  socket.onclose = () => {
    $("connection").textContent = "offline, trying again …";
    setTimeout(connect, 1000);
  };
}

function say(frame) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

function watch(session) {
  say({ kind: "watch", session, epoch: watched.epoch, seq: watched.seq });
}

function hear(frame) {
  if (frame.kind === "list") {
    const { answer } = frame;
    list = { epoch: answer.epoch, revision: answer.revision };
    if (answer.whole) rows.clear();
    for (const row of answer.rows) rows.set(row.id, row);
    for (const id of answer.gone) rows.delete(id);
    drawList();
  }
  if (frame.kind === "session" && frame.session === watched.session) {
    const { answer } = frame;
    watched.seq = answer.seq;
    if (answer.kind === "snapshot") {
      watched.epoch = answer.epoch;
      watched.state = { ...answer.state, items: new Map(answer.state.items.map((item) => [item.id, item])) };
    } else {
      for (const change of answer.changes) patch(watched.state, change);
    }
    drawSession();
  }
  if (frame.kind === "error") $("trouble").textContent = frame.message;
}

function patch(state, change) {
  const below = ([record, part]) => record < state.floor[0] || (record === state.floor[0] && part < state.floor[1]);
  if (change.change === "put") {
    if (below(change.item.order)) state.items.delete(change.item.id);
    else state.items.set(change.item.id, change.item);
  } else if (change.change === "append") {
    const body = state.items.get(change.id)?.body;
    const text = body && (body.text ?? body.input);
    if (text) text.text += change.text;
  } else if (change.change === "drop") state.items.delete(change.id);
  else state[change.change === "mcp" ? "mcp" : change.change] = change[change.change] ?? change.servers;
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function drawList() {
  const order = (row) => (row.asks ? 0 : row.phase === "running" ? 1 : 2);
  const sorted = [...rows.values()].sort((a, b) => order(a) - order(b) || b.since - a.since);
  $("empty").hidden = sorted.length > 0;
  $("list").replaceChildren(
    ...sorted.map((row) => {
      const button = element("button", undefined, { type: "button", "aria-current": String(row.id === watched.session) });
      button.append(element("strong", row.title || row.id), element("span", row.needsYou || row.words));
      button.onclick = () => choose(row.id);
      const line = element("li", undefined, row.asks ? { class: "needs" } : {});
      line.append(button);
      return line;
    }),
  );
}

function choose(id) {
  if (watched.session) say({ kind: "unwatch", session: watched.session });
  watched = { session: id, epoch: "", seq: 0, state: undefined };
  $("items").replaceChildren();
  $("asks").replaceChildren();
  $("composer").hidden = false;
  $("title").textContent = rows.get(id)?.title || id;
  watch(id);
  drawList();
}

const money = (usd) => `$${usd.toFixed(2)}`;

function words({ kind, ...body }) {
  const text = body.text?.text ?? "";
  switch (kind) {
    case "tool": {
      const error = body.error?.text ? `\n${body.error.text}` : "";
      return `${body.name} ${body.title ?? ""} · ${body.status}${error}`;
    }
    case "agent": return `subagent ${body.description ?? body.name ?? ""} · ${body.status ?? ""}`;
    case "turn": return `turn · ${body.outcome ?? ""} · ${money(body.costUsd ?? 0)}`;
    case "unknown": return `unknown: ${body.type ?? ""}`;
    default: return text || body.message || kind;
  }
}

function drawSession() {
  const { state } = watched;
  const { status, meters } = state;
  $("title").textContent = status.title || rows.get(watched.session)?.title || watched.session;
  $("status").textContent = [status.words, status.model, status.mode, money(meters.costUsd)].filter(Boolean).join(" · ");
  const items = [...state.items.values()].sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1]);
  const shown = items.filter((item) => words(item.body).trim());
  const list = $("items");
  const atEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 80;
  shown.forEach((item, number) => {
    const line = list.children[number] ?? list.appendChild(element("li"));
    const text = words(item.body);
    if (line.textContent !== text) line.textContent = text;
    line.className = item.body.kind;
  });
  while (list.children.length > shown.length) list.lastElementChild.remove();
  drawAsks(state.asks);
  if (atEnd) window.scrollTo(0, document.body.scrollHeight);
}

function drawAsks(asks) {
  const known = [...$("asks").children].map((article) => article.dataset.ask).join(" ");
  // Not drawn anew while somebody is about to press a button.
  if (known === asks.map((ask) => ask.id).join(" ")) return;
  $("asks").replaceChildren(...asks.map(drawAsk));
}

function drawAsk(ask) {
  const { body } = ask;
  const article = element("article", undefined, { "data-ask": ask.id });
  const answer = (decision) => () => act(() => call("POST", `sessions/${watched.session}/asks/${ask.id}`, { decision }));
  const button = (text, decision) => {
    const made = element("button", text, { type: "button" });
    made.onclick = answer(decision);
    return made;
  };
  if (body.kind === "question") {
    const chosen = {};
    for (const question of body.questions) {
      article.append(element("p", question.question));
      for (const option of question.options) {
        const made = element("button", option.label, { type: "button", title: option.description ?? "" });
        made.onclick = () => {
          chosen[question.question] = option.label;
          if (body.questions.every((asked) => asked.question in chosen)) answer({ kind: "answer", answers: chosen })();
        };
        article.append(made);
      }
    }
    return article;
  }
  const text = body.plan?.text ?? body.input?.text ?? body.message?.text ?? "";
  article.append(element("p", body.title ?? body.message?.text ?? body.kind), element("pre", text));
  if (body.kind === "elicitation" || body.kind === "dialog") article.append(button("Cancel", { kind: "cancel" }));
  else article.append(button("Allow", { kind: "allow" }), button("Deny", { kind: "deny" }));
  return article;
}

$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("text").value;
  if (!text.trim()) return;
  act(async () => {
    await call("POST", `sessions/${watched.session}/messages`, { id: crypto.randomUUID(), text });
    $("text").value = "";
  });
});
$("text").addEventListener("keydown", (event) => {
  // Enter may only end a word in some languages.
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    $("composer").requestSubmit();
  }
});
$("interrupt").onclick = () => act(() => call("POST", `sessions/${watched.session}/interrupt`, {}));

connect();
