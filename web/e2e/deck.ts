// A server with all that it needs, as a user would start it: the real binary, a data folder, a place to work in, and the
// scripted agent. What it leaves behind is ended here.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: \`cargo xtask test --only browser\` sets it`);
  return value;
}

/** What the scripted agent does, as its JSON has it: a list of turns, each a list of steps. */
export type Story = { turns: unknown[][]; [key: string]: unknown };

export class Deck {
  readonly place = mkdtempSync(join(tmpdir(), "quarterdeck-browser-"));
  readonly work = join(this.place, "work");
  private server: ChildProcess | undefined;
  private launch = "";

  private constructor(
    readonly port: number,
    story: Story,
  ) {
    mkdirSync(this.work);
    writeFileSync(join(this.place, "story.json"), JSON.stringify(story));
  }

  /** With the scripted agent. */
  static async start(story: Story): Promise<Deck> {
    const deck = new Deck(await freePort(), story);
    await deck.serve();
    return deck;
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.place,
      XDG_RUNTIME_DIR: this.place,
      NO_COLOR: "1",
      QUARTERDECK_DATA: join(this.place, "data"),
      QUARTERDECK_CLAUDE: needed("QUARTERDECK_AGENT"),
      LAB_AGENT_SCRIPT: join(this.place, "story.json"),
    };
  }

  /** Starts the server, and waits until it says where it is. */
  async serve(): Promise<void> {
    const server = spawn(needed("QUARTERDECK_BINARY"), ["serve", "--no-open", "--port", String(this.port)], {
      cwd: this.work,
      env: this.environment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.server = server;
    const first = await createInterface({ input: server.stdout })
      .on("line", () => {})
      [Symbol.asyncIterator]()
      .next();
    if (first.done) throw new Error("the server ended at once");
    this.launch = String(first.value).trim();
  }

  /** The address that lets the first who opens it in. */
  get url(): string {
    return this.launch;
  }

  /** Another address that lets somebody in: each is good once. */
  async anotherUrl(): Promise<string> {
    const said = await output(needed("QUARTERDECK_BINARY"), ["serve", "--no-open"], this.work, this.environment());
    const url = said.split("\n").find((line) => line.startsWith("http"));
    if (!url) throw new Error(`no address in: ${said}`);
    return url.trim();
  }

  /** SIGKILL, as when the power goes. The agents go on. */
  async kill(): Promise<void> {
    const server = this.server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGKILL");
    await gone;
  }

  /** Ends the server and every agent that it left. */
  async end(): Promise<void> {
    await this.kill();
    const sessions = join(this.place, "data", "sessions");
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      let words: string[] = [];
      try {
        words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      } catch {
        // It has just ended.
      }
      if (words.some((word) => word.startsWith(sessions))) {
        try {
          process.kill(Number(pid), "SIGKILL");
        } catch {
          // The same.
        }
      }
    }
    rmSync(this.place, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What a program says on its standard output. */
export async function output(program: string, argv: string[], cwd?: string, env?: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, argv, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const chunk of child.stdout) said += chunk;
  return said;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
