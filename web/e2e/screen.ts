// A browser as a person has one, that also notes what must never happen: something loaded from elsewhere, a breach of the content
// security policy, an error in the page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  // Where memory to share is scarce, as in containers, files do.
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-sync",
  "--disable-component-update",
  "--no-first-run",
];

let browser: Promise<Browser> | undefined;

function launched(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

export type Look = { width?: number; height?: number; theme?: "light" | "dark"; phone?: boolean };

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export class Screen {
  /** What must never happen. */
  readonly faults: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  /** Opens an address in a browser that knows nothing yet. */
  static async open(url: string, look: Look = {}): Promise<Screen> {
    const { width = 1440, height = 900, theme = "light", phone = false } = look;
    const context = await (await launched()).newContext({
      viewport: phone ? { width: 390, height: 844 } : { width, height },
      colorScheme: theme,
      hasTouch: phone,
      isMobile: phone,
      reducedMotion: "reduce",
    });
    // Nothing is waited for as long as this but on a machine that is very busy.
    context.setDefaultTimeout(60_000);
    const screen = new Screen(context, await context.newPage());
    await screen.listen(new URL(url).origin);
    await screen.page.goto(url);
    // The page to log in goes on by itself.
    await screen.page.getByRole("navigation", { name: "Main" }).waitFor();
    return screen;
  }

  private async listen(home: string): Promise<void> {
    const { page, faults } = this;
    page.on("pageerror", (error) => faults.push(`error in the page: ${error.message}`));
    page.on("console", (message) => {
      // A server that was killed on purpose is told of as well; that is no fault of the page.
      const isNetwork = /net::ERR_|WebSocket|Failed to load resource/.test(message.text());
      if (message.type() === "error" && !isNetwork) faults.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      const isOurs = url.origin === home || url.protocol === "data:" || url.protocol === "blob:";
      if (!isOurs) faults.push(`asked elsewhere: ${request.url()}`);
    });
    await page.exposeFunction("breach", (text: string) => faults.push(`policy: ${text}`));
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        const tell = (window as unknown as { breach(text: string): void }).breach;
        tell(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
  }

  /** What a program that looks for barriers finds on the page as it is now. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(axeSource);
    return this.page.evaluate(async () => {
      type Axe = { run(where: Document): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      const { violations } = await (window as unknown as { axe: Axe }).axe.run(document);
      return violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.html.slice(0, 200)}`));
    });
  }

  /** Nothing stands in anybody's way, and nothing happened that must not. */
  async isGood(): Promise<void> {
    expect(await this.barriers()).toEqual([]);
    expect(this.faults).toEqual([]);
  }

  async picture(path: string): Promise<void> {
    await this.page.screenshot({ path, animations: "disabled" });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
