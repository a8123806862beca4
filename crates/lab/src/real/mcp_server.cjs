// A tiny MCP server over stdio for the lab's scenarios: tools that add, fail and ask, one prompt, one resource.
"use strict";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (words) => [{ type: "text", text: words }];
const empty = { type: "object", properties: {} };
const tools = [
  {
    name: "add",
    description: "Add two numbers",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    annotations: { readOnlyHint: true },
  },
  { name: "boom", description: "Fails", inputSchema: empty },
  { name: "ask", description: "Asks the user for a name", inputSchema: empty },
];

// The tool call that waits for the user's answer.
let asking = null;

const call = (id, { name, arguments: given = {} }) => {
  if (name === "add") {
    const sum = given.a + given.b;
    return send({ id, result: { content: text(String(sum)), structuredContent: { sum } } });
  }
  if (name === "ask") {
    asking = id;
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    return send({ id: "ask-1", method: "elicitation/create", params: { message: "What is your name?", requestedSchema } });
  }
  return send({ id, result: { content: text("boom failed"), isError: true } });
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: "lab-stdio", version: "0.1.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "prompts/list": () => ({
    prompts: [{ name: "greet", description: "Greet someone", arguments: [{ name: "who", required: true }] }],
  }),
  "prompts/get": (params) => ({
    messages: [{ role: "user", content: text(`Please greet ${params.arguments?.who}`)[0] }],
  }),
  "resources/list": () => ({ resources: [{ uri: "lab://note", name: "note", mimeType: "text/plain" }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, mimeType: "text/plain", text: "resource body" }] }),
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    const { id, method } = message;
    if (id === "ask-1" && method === undefined) {
      send({ id: asking, result: { content: text(`answered: ${JSON.stringify(message.result ?? message.error)}`) } });
    } else if (method === "tools/call") {
      call(id, message.params);
    } else if (answers[method]) {
      send({ id, result: answers[method](message.params ?? {}) });
    } else if (id !== undefined) {
      send({ id, error: { code: -32601, message: "Method not found" } });
    }
  })
  .on("close", () => process.exit(0));
