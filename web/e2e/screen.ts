// A browser as a person has one, that also notes what must never happen: something loaded from elsewhere, a breach of the content
// security policy, an error in the page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page, type Response } from "playwright-core";
import { expect } from "vitest";
import { getCurrentTest } from "vitest/suite";
import { pictureOfFailure } from "./pictures";
import { isAll } from "./scope";

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

/** Shared by all test files of a worker; it closes when the worker exits. */
let browser: Promise<Browser> | undefined;

function launched(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  return browser;
}

/** For the bench, which needs a browser with empty caches. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

export type Look = {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  phone?: boolean;
  /** Who the browser says that it is: devices are named after it. */
  userAgent?: string;
};

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Screens that are open, or were closed since the last call of `takeFaults`. */
let screens: Screen[] = [];

/** What happened on any of them since it was last asked that must not, and that no test foresaw. */
export function takeFaults(): string[] {
  const faults = screens.flatMap((screen) => screen.takeFaults());
  screens = screens.filter((screen) => !screen.isClosed);
  return faults;
}

/** Takes a picture of every open screen if the current test has failed. */
export async function keepFailures(): Promise<void> {
  for (const screen of screens) if (!screen.isClosed) await screen.keepFailure();
}

export class Screen {
  isClosed = false;
  private readonly noted: string[] = [];
  private readonly foreseen: RegExp[] = [];
  private readonly scripts: Response[] = [];

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
      ...(look.userAgent === undefined ? {} : { userAgent: look.userAgent }),
    });
    // Nothing is waited for as long as this but on a machine that is very busy. Who sits before it may have less patience.
    context.setDefaultTimeout(Number(process.env.QUARTERDECK_E2E_PATIENCE ?? 60_000));
    const screen = new Screen(context, await context.newPage());
    screens.push(screen);
    await screen.listen(new URL(url).origin);
    await screen.page.goto(url);
    // The page to log in goes on by itself.
    await screen.page.getByRole("navigation", { name: "Main" }).waitFor();
    return screen;
  }

  /** What must never happen, on any page of this browser: each tab is listened to. */
  get faults(): string[] {
    return this.noted.filter((fault) => !this.foreseen.some((words) => words.test(fault)));
  }

  takeFaults(): string[] {
    const { faults } = this;
    this.noted.length = 0;
    return faults;
  }

  /** A test breaks something on purpose, and this is what the browser says about it. */
  foresee(fault: RegExp): void {
    this.foreseen.push(fault);
  }

  private async listen(home: string): Promise<void> {
    const { context, noted } = this;
    context.on("weberror", (thrown) => noted.push(`error in the page: ${thrown.error().message}`));
    context.on("console", (message) => {
      // A server that was killed on purpose is told of as well; that is no fault of the page.
      const isNetwork = /net::ERR_|WebSocket|Failed to load resource/.test(message.text());
      if (message.type() === "error" && !isNetwork) noted.push(`console: ${message.text()}`);
    });
    context.on("dialog", (dialog) => {
      noted.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on("request", (request) => {
      const url = new URL(request.url());
      const isOurs = url.origin === home || url.protocol === "data:" || url.protocol === "blob:";
      if (!isOurs) noted.push(`asked elsewhere: ${request.url()}`);
    });
    context.on("response", (response) => {
      if (new URL(response.url()).pathname.endsWith(".js")) this.scripts.push(response);
    });
    await context.exposeFunction("breach", (text: string) => noted.push(`policy: ${text}`));
    await context.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        const tell = (window as unknown as { breach(text: string): void }).breach;
        tell(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
  }

  /** The bytes of all scripts that were fetched so far, as they came over the line. */
  async scriptBytes(): Promise<number> {
    const bytes = new Map<string, number>();
    const note = (url: string, size: number) => bytes.set(url, Math.max(size, bytes.get(url) ?? 0));
    // What a worker loads only the browser knows; how large the worker itself is only the page that started it.
    for (const script of this.scripts) note(script.url(), (await script.request().sizes()).responseBodySize);
    const own = await this.page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).map(
        ({ name, encodedBodySize }) => [name, encodedBodySize] as const,
      ),
    );
    for (const [url, size] of own) if (bytes.has(url)) note(url, size);
    return [...bytes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** What a program that looks for barriers finds on the page as it is now. */
  async barriers({ withContrast = true } = {}): Promise<string[]> {
    if (!(await this.page.evaluate(() => "axe" in window))) await this.page.evaluate(axeSource);
    // A conversation hides its rows until it has measured them. Until then it has nothing that the keyboard could reach.
    await this.page.waitForFunction(() => {
      const isVisible = (element: Element | null) => element?.checkVisibility({ visibilityProperty: true }) === true;
      const log = document.querySelector("[role=log]");
      if (log === null || !isVisible(log) || log.scrollHeight <= log.clientHeight) return true;
      return isVisible(log.querySelector(".trow[tabindex='0']"));
    });
    return this.page.evaluate(async (enabled) => {
      type Found = { violations: { id: string; nodes: { html: string }[] }[] };
      type Axe = { run(where: Document, options: object): Promise<Found> };
      // Told are only barriers, so it need not describe what passed; and there is nothing on the page that it would have to load.
      const options = { resultTypes: ["violations"], preload: false, rules: { "color-contrast": { enabled } } };
      const { violations } = await (window as unknown as { axe: Axe }).axe.run(document, options);
      return violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.html.slice(0, 200)}`));
    }, withContrast);
  }

  /**
   * Checks that axe finds no barrier and that no fault was noted. Without `--all` it leaves out color contrast, which takes two thirds
   * of axe's time; the tests of looks call `barriers`, which always includes it.
   */
  async isGood(): Promise<void> {
    expect(await this.barriers({ withContrast: isAll })).toEqual([]);
    expect(this.faults).toEqual([]);
  }

  /** Saves a screenshot, unless `path` is undefined. */
  async picture(path: string | undefined): Promise<void> {
    if (path !== undefined) await this.page.screenshot({ path, animations: "disabled" });
  }

  /** Takes a picture if the current test has failed. */
  async keepFailure(): Promise<void> {
    const test = getCurrentTest();
    if (test?.result?.state === "fail") await this.picture(pictureOfFailure(test.name));
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    await this.keepFailure();
    await this.context.close();
    this.isClosed = true;
  }
}
