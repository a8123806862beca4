// The official TypeScript SDK in one turn of the scripted agent: what it saw and how long that took, as JSON on stdout.
// Arguments: the agent's program, and the version of the SDK. After its line it waits for the end of its stdin, so that
// its memory can be looked at.

import { writeSync } from "node:fs";
import { query } from "@anthropic-ai/claude-agent-sdk";

const [agent, sdk] = process.argv.slice(2);

let handShaken;
const ready = new Promise((resolve) => {
  handShaken = resolve;
});
let over;
const end = new Promise((resolve) => {
  over = resolve;
});
let start;

// The prompt waits for the handshake, so that the start of the agent is in nobody's time; the end of the prompts would end the session.
async function* prompts() {
  await ready;
  start = performance.now();
  yield { type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null };
  await end;
}

const session = query({
  prompt: prompts(),
  options: { pathToClaudeCodeExecutable: agent, includePartialMessages: true },
});
session.initializationResult().then(handShaken);

let deltas = 0;
let textBytes = 0;
for await (const message of session) {
  if (message.type === "stream_event") {
    const { event } = message;
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
      deltas += 1;
      textBytes += event.delta.text.length;
    }
  } else if (message.type === "result") {
    const seconds = (performance.now() - start) / 1000;
    const version = `claude-agent-sdk ${sdk}, node ${process.versions.node}`;
    writeSync(1, `${JSON.stringify({ version, deltas, text_bytes: textBytes, seconds })}\n`);
    for await (const _ of process.stdin);
    over();
    break;
  }
}
