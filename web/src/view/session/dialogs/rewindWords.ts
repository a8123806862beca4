// Why files cannot be put back: what the CLI or the server says goes in, plain words come out. What is not known stays as it was said.

export const NO_COPY =
  "The agent kept no copies of the files for this message, so it cannot put them back. It keeps none for commands like " +
  "/context, and may have kept none while another program ran it.";

const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/no file checkpoint/i, NO_COPY],
  [
    /rewinding is not enabled/i,
    "This agent does not keep copies of files. End it and write again: the next one does, from then on.",
  ],
];

export function whyNot(said: string): string {
  return KNOWN.find(([pattern]) => pattern.test(said))?.[1] ?? said;
}
