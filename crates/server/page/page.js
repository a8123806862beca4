// A short page: the list of sessions, and one of them as it goes on.
import { ask, element, item, money, short } from "./draw.js";

const $ = (id) => document.getElementById(id);
const rows = new Map();
let list = { epoch: "", revision: 0 };
let watched = nothing("");
let socket;
let offlineSince;

function nothing(session) {
  return { session, epoch: "", seq: 0, state: undefined, lines: new Map(), touched: new Set(), drawing: false };
}

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
    $("trouble").textContent = error instanceof TypeError ? "The server does not answer. Is it running?" : error.message;
  }
}

// The connection: when it breaks, it is made again, and both feeds go on where they were.
async function connect() {
  let ticket;
  try {
    ({ ticket } = await call("POST", "socket-tickets", {}));
  } catch {
    return retry();
  }
  const address = new URL(`api/v1/socket?ticket=${ticket}`, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.onopen = () => {
    offlineSince = undefined;
    showConnection("live");
    say({ kind: "list", ...list });
    if (watched.session) watch();
  };
  socket.onmessage = (message) => hear(JSON.parse(message.data));
  socket.onclose = retry;
}

function retry() {
  offlineSince ??= new Date();
  const since = offlineSince.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  showConnection(`offline since ${since}, trying again …`);
  setTimeout(connect, 2000);
}

function showConnection(words) {
  $("connection").textContent = words;
  $("connection").className = words === "live" ? "live" : "offline";
}

function say(frame) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

function watch() {
  say({ kind: "watch", session: watched.session, epoch: watched.epoch, seq: watched.seq });
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
      watched.state = { ...answer.state, items: new Map(answer.state.items.map((one) => [one.id, one])) };
      watched.lines.clear();
      $("items").replaceChildren();
      watched.touched = new Set(watched.state.items.keys());
    } else {
      for (const change of answer.changes) patch(watched.state, change);
    }
    // As often as the screen is painted, and no more.
    if (!watched.drawing) {
      watched.drawing = true;
      requestAnimationFrame(drawSession);
    }
  }
  if (frame.kind === "error") $("trouble").textContent = frame.message;
}

function patch(state, change) {
  const below = ([record, part]) => record < state.floor[0] || (record === state.floor[0] && part < state.floor[1]);
  const id = change.item?.id ?? change.id;
  if (id) watched.touched.add(id);
  if (change.change === "put") {
    if (below(change.item.order)) state.items.delete(id);
    else state.items.set(id, change.item);
  } else if (change.change === "append") {
    const body = state.items.get(id)?.body;
    const text = body && (body.text ?? body.input);
    if (text) text.text += change.text;
  } else if (change.change === "drop") state.items.delete(id);
  else state[change.change] = change[change.change] ?? change.servers;
}

function drawList() {
  const order = (row) => (row.asks ? 0 : row.phase === "running" ? 1 : 2);
  const sorted = [...rows.values()].sort((a, b) => order(a) - order(b) || b.since - a.since);
  $("empty").hidden = sorted.length > 0;
  const asked = sorted.filter((row) => row.asks).length;
  document.title = asked ? `(${asked}) Quarterdeck` : "Quarterdeck";
  const focused = document.activeElement?.dataset?.session;
  $("list").replaceChildren(
    ...sorted.map((row) => {
      const current = String(row.id === watched.session);
      const button = element("button", undefined, { type: "button", "aria-current": current, "data-session": row.id });
      const words = short([row.words, row.needsYou].filter(Boolean).join(" · "), row.cwd);
      button.append(element("strong", row.title || row.id), element("span", words));
      button.onclick = () => choose(row.id);
      const line = element("li", undefined, { class: row.asks ? "needs" : row.phase });
      line.append(button);
      return line;
    }),
  );
  if (focused) document.querySelector(`[data-session="${focused}"]`)?.focus();
}

// Shows a session; without an id, a new one is about to be begun.
function choose(id) {
  if (watched.session) say({ kind: "unwatch", session: watched.session });
  watched = nothing(id);
  history.replaceState(null, "", id ? `#${id}` : location.pathname);
  document.body.classList.add("open");
  $("items").replaceChildren();
  $("asks").replaceChildren();
  $("trouble").textContent = "";
  $("work").hidden = $("interrupt").hidden = true;
  $("composer").hidden = false;
  $("title").textContent = id ? rows.get(id)?.title || id : "New session";
  $("status").textContent = id ? "" : "What should the agent do?";
  if (id) watch();
  else $("text").focus();
  drawList();
}

function drawSession() {
  watched.drawing = false;
  const { state, touched, lines } = watched;
  if (!state) return;
  const { status, meters } = state;
  const { used, window: room } = meters.context;
  const full = used && room ? `context ${Math.round((100 * used) / room)} %` : "";
  $("title").textContent = status.title || rows.get(watched.session)?.title || watched.session;
  const words = [short(status.words, status.cwd), status.model, status.mode, money(meters.costUsd), full];
  $("status").textContent = words.filter(Boolean).join(" · ");
  const log = $("log");
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  $("interrupt").hidden = !status.turn;
  drawWork(state);
  drawAsks(state);
  for (const id of touched) drawItem(id, state, lines);
  touched.clear();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

// Where an item stands: what a subagent did stands below its line.
function place({ order, parent }, items) {
  const above = parent && items.get(parent);
  return above ? [...place(above, items), ...order] : order;
}

function isLater(one, other) {
  const at = one.findIndex((part, number) => part !== other[number]);
  return at >= 0 && (at >= other.length || one[at] > other[at]);
}

function drawItem(id, { items, status }, lines) {
  const one = items.get(id);
  const parts = one ? item(one, status.cwd) : [];
  const before = lines.get(id);
  if (!parts.length) {
    before?.remove();
    lines.delete(id);
    return;
  }
  const line = before ?? element("li");
  const wasOpen = line.querySelector("details")?.open;
  line.replaceChildren(...parts);
  line.className = `${one.body.kind}${one.parent ? " inner" : ""}`;
  const details = line.querySelector("details");
  // Whoever opened it wants it open; what has only now ended decides anew.
  if (details && wasOpen !== undefined && line.dataset.status === one.body.status) details.open = wasOpen;
  line.dataset.status = one.body.status ?? "";
  if (one.body.outcome === "failed" || one.body.status === "failed") line.classList.add("failed");
  if (before) return;
  lines.set(id, line);
  line.place = place(one, items);
  let next = null;
  for (let other = $("items").lastElementChild; other && isLater(other.place, line.place); other = other.previousElementSibling) next = other;
  $("items").insertBefore(line, next);
}

// What is to be done, and what runs beside the conversation.
function drawWork({ tasks, jobs }) {
  const running = jobs.filter((job) => job.background && job.status === "running");
  const done = tasks.filter((task) => task.status === "completed").length;
  $("work").hidden = !tasks.length && !running.length;
  const summary = [tasks.length && `${done} of ${tasks.length} tasks done`, running.length && `${running.length} in the background`];
  $("work").firstElementChild.textContent = summary.filter(Boolean).join(" · ");
  const isOpen = (id) => tasks.some((task) => task.id === id && task.status !== "completed");
  const line = (task) => {
    const waits = task.blockedBy.filter(isOpen);
    const mark = { completed: "✓", in_progress: "→", inProgress: "→" }[task.status] ?? "○";
    return element("li", `${mark} ${task.subject}${waits.length ? ` (after ${waits.join(", ")})` : ""}`, { class: task.status });
  };
  $("work").lastElementChild.replaceChildren(...tasks.map(line), ...running.map((job) => element("li", `↻ ${job.description}`)));
}

function drawAsks({ asks, status }) {
  const known = [...$("asks").children].map((article) => article.dataset.ask).join(" ");
  // Not drawn anew while somebody is about to press a button.
  if (known === asks.map((one) => one.id).join(" ")) return;
  const path = `sessions/${watched.session}/asks`;
  const answer = (id) => (decision) => act(() => call("POST", `${path}/${encodeURIComponent(id)}`, { decision }));
  $("asks").replaceChildren(...asks.map((one) => ask(one, status.cwd, answer(one.id))));
}

$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("text").value;
  if (!text.trim()) return;
  const message = { id: crypto.randomUUID(), text };
  act(async () => {
    if (watched.session) await call("POST", `sessions/${watched.session}/messages`, message);
    else choose((await call("POST", "sessions", { message })).session);
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
$("new").onclick = () => choose("");
$("back").onclick = () => document.body.classList.remove("open");

if (location.hash.length > 1) choose(location.hash.slice(1));
connect();
