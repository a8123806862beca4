// Texts that would do something if they were taken for more than text, in every place where the page shows what somebody else
// wrote. They are read, and nothing happens.

import { afterAll, afterEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { closeBrowser, Screen } from "./screen";
import { button, conversation, openSession, read, write } from "./session";
import { calls, says, thinks, turn } from "./story";

/** What breaks out of where a text stands … */
const WAYS_OUT = ["", '">', "'>", "</script>", "</title>", "--><!--", "]]>", "</textarea>", "`;", "\u2028"];

/** … and what it then does. */
const DEEDS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  "<form action=//evil.test><button>x",
  "<link rel=stylesheet href=//evil.test/x.css>",
  '<meta http-equiv=refresh content="0;url=//evil.test">',
  "<base href=//evil.test/>",
  "[x](javascript:alert(1))",
  "![x](http://evil.test/x.png)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]-->B; click A "javascript:alert(1)"\n```',
  "$\\href{javascript:alert(1)}{x}$",
  "\u001b]8;;javascript:alert(1)\u001b\\x\u001b]8;;\u001b\\",
  "\u001b[2J\u001b]0;title\u0007",
  "{{constructor.constructor('alert(1)')()}}",
  "\u202e<script>alert(1)</script>",
  "<!--[if IE]><script>alert(1)</script><![endif]-->",
];

const texts = WAYS_OUT.flatMap((way) => DEEDS.map((deed) => way + deed));
const all = texts.join("\n\n");
const some = texts.slice(0, 30).join("\n");
const [first = "", second = ""] = texts.slice(1);

const patch = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${first}`, `+${second}`] };

const silent = (name: string, input: unknown, gives: string, more = {}) =>
  calls(name, input, gives, { asks: false, ...more });

const story = {
  turns: [
    turn(
      [thinks(all), says(all)],
      // None of these asks: what is asked comes after them.
      [
        silent("Bash", { command: some, description: some }, all),
        silent("Bash", { command: "false", description: second }, all, { fails: true }),
        silent("Read", { file_path: `/tmp/${first}.ts` }, all),
        silent("Grep", { pattern: first }, all),
        silent("WebFetch", { url: "javascript:alert(1)", prompt: some }, all),
        silent("WebSearch", { query: first }, `Links: [{"title":"${second}","url":"javascript:alert(1)"}]\n${all}`),
        silent(`mcp__${first}__${second}`, { [first]: second }, all),
        silent("Edit", { file_path: `/tmp/${second}`, old_string: first, new_string: second }, all, {
          gives_value: { filePath: `/tmp/${second}`, structuredPatch: [patch], oldString: first, newString: second },
        }),
        silent("NotebookEdit", { notebook_path: first, new_source: all, cell_type: "markdown" }, all),
        silent(
          "TodoWrite",
          { todos: texts.slice(0, 9).map((text) => ({ content: text, activeForm: text, status: "pending" })) },
          all,
        ),
      ],
      [
        calls(
          "AskUserQuestion",
          {
            questions: [
              {
                question: first,
                header: second,
                multiSelect: false,
                options: texts.slice(2, 5).map((text) => ({ label: text, description: text, preview: text })),
              },
            ],
          },
          "",
          { asks: true },
        ),
      ],
      [calls("Bash", { command: all, description: first }, all, { asks: true })],
      [says("That was all.")],
    ),
  ],
};

let deck: Deck | undefined;
let screen: Screen | undefined;

afterEach(async () => {
  await screen?.close();
  await deck?.end();
});

afterAll(closeBrowser);

test(`${texts.length} texts do nothing`, async () => {
  expect(texts.length).toBeGreaterThanOrEqual(200);
  deck = await Deck.start(story);
  screen = await Screen.open(deck.url);
  const { page } = screen;
  page.on("dialog", (dialog) => {
    screen?.faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const id = await openSession(screen, deck.work);
  await page.evaluate(
    async ([session, title]) => {
      await fetch(`api/v1/sessions/${session}`, {
        method: "PATCH",
        headers: { "content-type": "application/json", "x-quarterdeck": "1" },
        body: JSON.stringify({ title }),
      });
    },
    [id, first] as const,
  );
  await write(screen, all);
  await button(screen, /^Skip/).click();
  await button(screen, /^Allow once/).click();
  await read(screen, "That was all.");
  // Everything that folds is opened, and what then folds, too.
  await conversation(screen)
    .getByText(/\d+ steps/)
    .click();
  for (let round = 0; round < 40; round++) {
    const closed = conversation(screen).locator('[aria-expanded="false"]').first();
    if ((await closed.count()) === 0) break;
    await closed.click();
  }
  const found = await page.evaluate(() => ({
    links: [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].map((link) => link.protocol),
    elements: document.querySelectorAll("#root :is(script, iframe, object, embed, form[action], base, meta, link)")
      .length,
    pictures: [...document.querySelectorAll("#root img")].map((picture) => (picture as HTMLImageElement).src),
    place: location.origin,
  }));
  expect(found.links.filter((protocol) => !["http:", "https:", "mailto:"].includes(protocol))).toEqual([]);
  expect(found.elements).toBe(0);
  expect(found.pictures.filter((source) => !/^(data|blob):/.test(source))).toEqual([]);
  expect(await page.title()).toContain(first);
  expect(screen.faults).toEqual([]);
});
