// The real CLI and a scripted model behind it, offline: `lab-stage` of `crates/lab`, driven over its pipes. A version goes in;
// the CLI, the environment in which it runs, and a model that says what it is told come out.

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { needed } from "./deck";
import { isAll } from "./scope";
import type { Block } from "./story";

/** One answer of the model; `Reply` of `crates/lab/src/script.rs` has the rest. */
export type Reply = {
  blocks: Block[];
  usage?: Record<string, number>;
  /** Stands still after so many deltas, until the gate is released. */
  pause?: { after: number; gate: string };
};

/** What the model was asked, without what every request has. */
export type Asked = {
  model: string;
  messages: { role: string; content: unknown }[];
  /** Whether it may think first; `null` where nothing is said. */
  thinking: { type: string } | null;
  /** How hard it is to try; the same. */
  output_config: { effort?: string } | null;
};

type Hello = { program: string; environment: Record<string, string>; project: string; mcpServer: string };
type Answer = { requests?: Asked[]; unused: number; error?: string };

/** An answer of the model: these blocks. */
export const reply = (...blocks: Block[]): Reply => ({ blocks });

/** One version with the old dialect, and the newest. */
export const VERSIONS: readonly string[] = ["2.1.38", newest()];

/** The newest version, and with `--all` also the old one, which takes seconds of processor time to start. */
export const NEWEST_UNLESS_ALL: readonly string[] = isAll ? VERSIONS : VERSIONS.slice(-1);

function newest(): string {
  const list = readFileSync(join(import.meta.dirname, "../../crates/lab/versions.txt"), "utf8");
  const versions = list.split("\n").filter((line) => /^\d/.test(line));
  const last = versions.at(-1);
  if (last === undefined) throw new Error("`versions.txt` names no version");
  return last;
}

export class Stage {
  private constructor(
    private readonly lab: ChildProcess,
    private readonly lines: AsyncIterator<string>,
    private readonly hello: Hello,
  ) {}

  static async start(version: string): Promise<Stage> {
    const lab = spawn(needed("QUARTERDECK_STAGE"), [version], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: lab.stdout })[Symbol.asyncIterator]();
    return new Stage(lab, lines, JSON.parse(await next(lines)) as Hello);
  }

  get program(): string {
    return this.hello.program;
  }

  get environment(): Record<string, string> {
    return this.hello.environment;
  }

  /** Where the CLI works. */
  get project(): string {
    return this.hello.project;
  }

  /** A real MCP server over stdio, for `node`. */
  get mcpServer(): string {
    return this.hello.mcpServer;
  }

  /** The model says this from now on; what it has not said yet is forgotten. */
  async tell(...script: Reply[]): Promise<void> {
    await this.order({ do: "tell", script });
  }

  /** Lets an answer go on that stands still. */
  async release(gate: string): Promise<void> {
    await this.order({ do: "release", gate });
  }

  /** What the model was asked since it was told what to say. */
  async asked(): Promise<Asked[]> {
    return (await this.order({ do: "asked" })).requests ?? [];
  }

  /** Everything that the model read with its last request, as JSON. */
  async lastRead(): Promise<string> {
    return JSON.stringify((await this.asked()).at(-1)?.messages ?? []);
  }

  /** Runs the CLI as somebody does in a terminal, and gives what it prints. */
  async inTerminal(...argv: string[]): Promise<string> {
    const isScript = this.program.endsWith(".js");
    const words = isScript ? ["node", this.program, ...argv] : [this.program, ...argv];
    const child = spawn(words[0] ?? "", words.slice(1), {
      cwd: this.project,
      env: this.environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const chunk of child.stdout) said += chunk;
    return said;
  }

  /** Ends the model, and everything that still works in its folders. */
  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.lab.once("exit", resolve));
    this.lab.stdin?.end();
    await gone;
  }

  private async order(order: Record<string, unknown>): Promise<Answer> {
    this.lab.stdin?.write(`${JSON.stringify(order)}\n`);
    const answer = JSON.parse(await next(this.lines)) as Answer;
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  const line = await lines.next();
  if (line.done) throw new Error("`lab-stage` ended");
  return line.value;
}
