// `quarterdeck demo`, with the real binary.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { addressIn, needed, output } from "./deck";

export class Demo {
  private constructor(
    private readonly server: ChildProcess,
    private readonly data: string,
  ) {}

  static async start(...flags: string[]): Promise<Demo> {
    const server = spawn(needed("QUARTERDECK_BINARY"), ["demo", "--no-open", ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let data: string | undefined;
    for await (const line of createInterface({ input: server.stderr })) {
      data ??= /--data (\S+?)`/.exec(line)?.[1];
      if (data !== undefined) break;
    }
    if (data === undefined) throw new Error("the demo ended at once");
    return new Demo(server, data);
  }

  /** An address that lets somebody in; each is good once. */
  async anotherUrl(): Promise<string> {
    const said = await output(needed("QUARTERDECK_BINARY"), ["serve", "--no-open", "--data", this.data]);
    return addressIn(said);
  }

  /** Ctrl-C; it removes all that it made. */
  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill("SIGINT");
    await gone;
  }
}
