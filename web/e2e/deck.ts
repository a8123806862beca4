// A server with all that it needs, as a user would start it: the real binary, a data folder, a place to work in, and an agent,
// scripted or real. What it leaves behind is ended here.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { withPage } from "./proxy";
import type { Stage } from "./stage";

export function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: \`cargo xtask test --only browser\` sets it`);
  return value;
}

/** What the scripted agent does, as its JSON has it: a list of turns, each a list of steps. */
export type Story = { turns: unknown[][]; [key: string]: unknown };

export class Deck {
  private server: ChildProcess | undefined;
  private launch = "";

  private constructor(
    /** Where everything is kept that is the server's own. */
    readonly place: string,
    /** Where agents work. */
    readonly work: string,
    private readonly port: number,
    /** Which agent, and what it is to know. */
    private readonly agent: NodeJS.ProcessEnv,
    /** What the server is told beyond that. */
    private readonly flags: readonly string[] = [],
  ) {}

  /** With the scripted agent. */
  static async start(story: Story, ...flags: string[]): Promise<Deck> {
    const place = newPlace();
    const work = join(place, "work");
    mkdirSync(work);
    const agent = {
      PATH: process.env.PATH,
      HOME: place,
      QUARTERDECK_CLAUDE: needed("QUARTERDECK_AGENT"),
      LAB_AGENT_SCRIPT: scriptIn(place),
    };
    const deck = new Deck(place, work, await freePort(), agent, flags);
    deck.tell(story);
    return Deck.serving(deck);
  }

  /** What scripted agents do that are started from now on. */
  tell(story: Story): void {
    writeFileSync(scriptIn(this.place), JSON.stringify(story));
  }

  /** With the real CLI, offline. */
  static async real(stage: Stage): Promise<Deck> {
    const agent = { ...stage.environment, QUARTERDECK_CLAUDE: stage.program };
    return Deck.serving(new Deck(newPlace(), stage.project, await freePort(), agent));
  }

  private static async serving(deck: Deck): Promise<Deck> {
    await deck.serve();
    return deck;
  }

  private get data(): string {
    return join(this.place, "data");
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      ...this.agent,
      XDG_RUNTIME_DIR: this.place,
      NO_COLOR: "1",
      QUARTERDECK_DATA: this.data,
    };
  }

  /** Starts the server, and waits until it says where it is. */
  async serve(): Promise<void> {
    const server = spawn(
      needed("QUARTERDECK_BINARY"),
      ["serve", "--no-open", "--port", String(this.port), ...this.flags],
      {
        cwd: this.work,
        env: this.environment(),
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    this.server = server;
    const first = await createInterface({ input: server.stdout })
      .on("line", () => {})
      [Symbol.asyncIterator]()
      .next();
    if (first.done) throw new Error("the server ended at once");
    this.launch = await addressIn(String(first.value));
  }

  /** The address that lets the first who opens it in. */
  get url(): string {
    return this.launch;
  }

  /** Another address that lets somebody in: each is good once. */
  async anotherUrl(): Promise<string> {
    const said = await output(needed("QUARTERDECK_BINARY"), ["serve", "--no-open"], this.work, this.environment());
    return addressIn(said);
  }

  /** SIGKILL, as when the power goes. The agents go on. */
  async kill(): Promise<void> {
    const server = this.server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGKILL");
    await gone;
  }

  /** The command lines of the agents that run here, each without the program. */
  agents(): string[][] {
    const isOurs = ({ pid, words }: Running) =>
      words[0] === this.agent.QUARTERDECK_CLAUDE && inProc(pid, "environ").includes(`QUARTERDECK_DATA=${this.data}`);
    return running()
      .filter(isOurs)
      .map(({ words }) => words.slice(1));
  }

  /** Ends the server and every agent that it left. */
  async end(): Promise<void> {
    await this.kill();
    const sessions = join(this.data, "sessions");
    for (const { pid, words } of running()) {
      if (words.some((word) => word.startsWith(sessions))) {
        try {
          process.kill(Number(pid), "SIGKILL");
        } catch {
          // It has just ended.
        }
      }
    }
    rmSync(this.place, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Running = { pid: string; words: string[] };

/** Every process of this computer, with the words of its command line. */
function running(): Running[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => ({ pid, words: inProc(pid, "cmdline") }));
}

/** What the system tells of a process; of one that has just ended, nothing. */
function inProc(pid: string, file: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

/** The address that lets somebody in, in what the server says. */
export async function addressIn(said: string): Promise<string> {
  const url = said.split("\n").find((line) => line.startsWith("http"));
  if (!url) throw new Error(`no address in: ${said}`);
  return withPage(url.trim());
}

const scriptIn = (place: string): string => join(place, "story.json");

function newPlace(): string {
  return mkdtempSync(join(tmpdir(), "quarterdeck-browser-"));
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
