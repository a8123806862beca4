// Markdown that is written bit by bit looks, at every moment, as if it had been parsed whole.

import { Lexer } from "marked";
import { describe, expect, test } from "vitest";
import type { Block } from "../src/markdown/blocks";
import { toBlocks } from "../src/markdown/convert";
import { MarkdownStream } from "../src/markdown/stream";

const CORPUS: Record<string, string> = {
  paragraphs: "One *two* three.\nFour **five\nsix** seven.\n\nEight `nine` ten.\n\n\nEleven  \ntwelve\\\nthirteen.\n",
  headings: "# One\nTwo\n## Three ##\n\nFour\n====\n\nFive\n---\n#x\n#\n####### seven\n",
  "tight list": "Before\n- one\n- two\n  more\n- three\n\nAfter\n",
  "loose list": "- one\n\n- two\n\n  still two\n\n      code\n\n- three\nlazy\n\n\nAfter\n- x\n",
  "nested list": "1. one\n   - a\n   - b\n     1. deep\n\n2. two\n10) other\n\n* star\n+ plus\n- minus\n",
  "task list": "- [ ] not yet\n- [x] done\n- [X] done too\n- [] none\n",
  "list and rule": "- a\n\n---\n\n- b\n- - -\n\n***\n* * *\n_ _ _\n",
  fences: "Text\n```rust\nfn main() {}\n\n# no heading\n```\nMore\n~~~\n```\n~~~~\n\n````md\n```js\n1\n```\n````\n",
  "open fence": "Text\n\n```ts\nconst a = 1;\n\nconst b = `",
  "odd fences": "para\n```a`b\nmore\n\n``` x\ny\n``` z\nlast\n",
  "indented code": "    one\n\n    two\n\nthree\n    four\n\n\tfive\n",
  quotes: "> one\n> two\nlazy\n\n> three\n>\n> - a\n> - b\n>\n> ```\n> code\n> ```\n\nafter\n>no space\n",
  table: "before\n\n| a | b |\n|:--|--:|\n| 1 | `|` |\n| 2 |\nafter\n\n| not | a\n| table\n",
  "table after words": "words\n| a | b |\n|---|---|\n| 1 | 2 |\n\nwords\n| a |\n|---x\n",
  html: "<div>\n<b>x</b>\n\ny\n</div>\n\n<!-- a\n\nb -->\n<script>\n1\n\n2</script>\n\n<pre>\n\nx</pre>\n text <i>in</i> line\n",
  links:
    '[a](http://x.example) <http://y.example> https://z.example www.w.example a@b.example ![p](http://p.example/q.png "t")\n',
  "references before": "[one]: http://one.example\n\nSee [one] and [Two][one] and [three].\n",
  "references after":
    "See [one], [two] and ![three].\n\nMore [one].\n\n- in a list [two]\n\n[one]: http://one.example 'title'\n[two]: <http://two.example>\n\nEnd [one]\n\n[three]:\nhttp://three.example\n",
  "reference that is none": "See [one].\n\n[one]: http://one.example not a title\n\nEnd.\n",
  "reference with a long title": 'See [one].\n\n[one]: /u "a\n\nb"\n\nEnd [one].\n',
  marks:
    "**bold** __bold__ *em* _em_ ***both*** ~~del~~ ~one~ `code` ``a ` b`` snake_case_word 2*3*4 \\*no\\* **open\n",
  entities: "&amp; &lt;b&gt; &copy; &nope; &#65; &#x41; `&amp;` &\n",
  "carriage returns": "one\r\n\r\n- two\r\n- three\r\n\r\n```\r\ncode\r\n```\r\n",
  spaces: "   \n\n  one\n   \n\t\ntwo   \n \n",
  unicode: "Grüße 👩‍👩‍👧‍👦 — «日本語»\n\n- 1️⃣ eins\n- 2️⃣ zwei\n",
  "numbers that are none": "The year\n1986. A great year\n\n1986. Item\n1. Next\n\n1.5 is no item\n2)x\n",
  "dashes at a paragraph": "one\n-\n\ntwo\n- \n\nthree\n--\n\nfour\n=\n\nfive\n+ \n\nsix\n-x\n",
  "answer of an agent":
    "I found **two** problems in `lexer.rs`:\n\n1. `Span::len` is a `u16`.\n   ```rust\n   pub len: u16,\n   ```\n2. The comment path subtracts.\n\n### What I did\n\n| File | Change |\n| --- | ---: |\n| `span.rs` | +2 |\n\n> Note: [docs](https://docs.example/a_b)\n\nDone. See https://example.com/x_y_z.\n",
};

/** What the parser makes of all of it at once: nothing of the stream is in this. */
const whole = (text: string): Block[] => toBlocks(new Lexer({ gfm: true }).lex(text));

describe("streamed is the same as whole", () => {
  test.each(Object.entries(CORPUS))("%s", (_, text) => {
    const stream = new MarkdownStream();
    for (let end = 1; end <= text.length; end++) {
      const part = text.slice(0, end);
      expect(stream.read(part).blocks, JSON.stringify(part)).toEqual(whole(part));
    }
  });

  test("with the whole corpus in one text, in pieces of any length", () => {
    const text = Object.values(CORPUS).join("\n\n");
    for (const step of [7, 64, 333]) {
      const stream = new MarkdownStream();
      for (let end = step; end < text.length + step; end += step) {
        const part = text.slice(0, end);
        expect(stream.read(part).blocks, JSON.stringify(part.slice(-80))).toEqual(whole(part));
      }
    }
  });
});

test("blocks that are finished are not made again", () => {
  const stream = new MarkdownStream();
  const first = stream.read("one\n\ntwo\n\nthr").blocks;
  const { blocks, same } = stream.read("one\n\ntwo\n\nthree");
  expect(same).toBe(2);
  expect(blocks[0]).toBe(first[0]);
  expect(blocks[1]).toBe(first[1]);
  expect(blocks[2]).toEqual({ kind: "paragraph", children: [{ kind: "text", text: "three" }] });
});

test("a text that turns out to be another is parsed anew", () => {
  const stream = new MarkdownStream();
  stream.read("one\n\ntwo\n\nthree");
  expect(stream.read("# other\n\ntext").blocks).toEqual(whole("# other\n\ntext"));
});

const inline = (text: string) => {
  const [block] = whole(text);
  return block?.kind === "paragraph" ? block.children : [];
};

test.each([
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java&#10;script:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](data:text/html,<script>1</script>)",
  "[x](vbscript:1)",
  "![x](javascript:alert(1))",
  "[x](/api/v1/logout)",
  "[x](//evil.example)",
  "<javascript:alert(1)>",
])("%s is no link", (text) => {
  expect(JSON.stringify(inline(text))).not.toContain('"link"');
});

test("HTML is text, and entities are characters", () => {
  expect(inline('a <img src=x onerror="1"> b')).toEqual([{ kind: "text", text: 'a <img src=x onerror="1"> b' }]);
  expect(whole("<script>alert(1)</script>")).toEqual([
    { kind: "paragraph", children: [{ kind: "text", text: "<script>alert(1)</script>" }] },
  ]);
  expect(inline("&lt;b&gt; &amp; &#x41;")).toEqual([{ kind: "text", text: "<b> & A" }]);
  expect(inline("`&lt;`")).toEqual([{ kind: "code", text: "&lt;" }]);
});

test("a picture is a link, and nothing is loaded", () => {
  expect(inline("![cat](https://x.example/cat.png)")).toEqual([
    { kind: "link", href: "https://x.example/cat.png", isImage: true, children: [{ kind: "text", text: "cat" }] },
  ]);
});

test("what stands very deep in itself does not break anything", () => {
  expect(whole(`${"> ".repeat(400)}x`)).toHaveLength(1);
});
