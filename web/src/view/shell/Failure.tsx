// Why something that was pressed did not work, below it: words in, nothing if there are none.

import { Words } from "../Words";

export function Failure({ words }: { words: string | undefined }) {
  return words === undefined ? null : (
    <p role="alert" className="hint is-danger">
      <Words text={words} />
    </p>
  );
}
