// Messages on their way: each under an id that a retry repeats, one at a time and in order; what failed stays until it is sent,
// edited or dropped.

import { messageOf } from "../../api/http";
import type { Picture } from "./pictures";

export type Delivery = "steer" | "afterTurn";

export type Message = { id: string; text: string; pictures: readonly Picture[]; delivery: Delivery };

export type Trouble = { code: string; message: string };

export type Outgoing = Message & { trouble?: Trouble };

export interface Post {
  /** True if it waits in the host until the turn has ended. */
  send(message: Message): Promise<{ isHeld: boolean }>;
}

export class Outbox {
  private list: readonly Outgoing[] = [];
  private busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly post: Post,
    private readonly changed: () => void,
    private readonly taken: (message: Message, isHeld: boolean) => void,
  ) {}

  readonly all = (): readonly Outgoing[] => this.list;

  add(message: Message): Promise<void> {
    this.set([...this.list, message]);
    return this.go(message.id);
  }

  /** Sends one that failed again, under its own id: if it had come through after all, it is not sent twice. */
  retry(id: string): Promise<void> {
    this.set(this.list.map((one) => (one.id === id ? without(one) : one)));
    return this.go(id);
  }

  /** All that failed since there was nobody to take them. */
  retryOffline(): void {
    for (const one of this.list) if (one.trouble?.code === "offline") void this.retry(one.id);
  }

  /** Takes one out that failed. */
  take(id: string): Outgoing | undefined {
    const one = this.list.find((other) => other.id === id && other.trouble);
    if (one) this.set(this.list.filter((other) => other !== one));
    return one;
  }

  private go(id: string): Promise<void> {
    this.busy = this.busy.then(() => this.send(id));
    return this.busy;
  }

  private async send(id: string): Promise<void> {
    const message = this.list.find((one) => one.id === id);
    if (!message || message.trouble) return;
    try {
      const { isHeld } = await this.post.send(message);
      this.set(this.list.filter((one) => one.id !== id));
      this.taken(message, isHeld);
    } catch (cause) {
      const trouble = troubleOf(cause);
      this.set(this.list.map((one) => (one.id === id ? { ...one, trouble } : one)));
    }
  }

  private set(list: readonly Outgoing[]): void {
    this.list = list;
    this.changed();
  }
}

function without({ trouble: _trouble, ...message }: Outgoing): Outgoing {
  return message;
}

export function troubleOf(cause: unknown): Trouble {
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "internal";
  return { code, message: messageOf(cause) };
}
