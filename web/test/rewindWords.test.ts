// Why files cannot be put back, in plain words.

import { expect, test } from "vitest";
import { NO_COPY, whyNot } from "../src/view/session/dialogs/rewindWords";

test("what the CLI says is put plainly, also when the server passes it on", () => {
  expect(whyNot("No file checkpoint found for this message.")).toBe(NO_COPY);
  expect(whyNot("the agent refused: No file checkpoint found for this message.")).toBe(NO_COPY);
  expect(whyNot("the agent refused: File rewinding is not enabled.")).toMatch(/^This agent does not keep copies/);
});

test("what is not known stays as it was said", () => {
  expect(whyNot("EACCES: permission denied")).toBe("EACCES: permission denied");
});
