// How it stands with the server, in words and with a shape of its own.

import { useConnection } from "../../store/use";
import { clock, exactly } from "../words";

export function ConnectionMark() {
  const connection = useConnection();
  switch (connection.kind) {
    case "live":
      return <Mark kind="" words="Live" />;
    case "connecting":
      return <Mark kind=" wait" words="Connecting" />;
    case "catchingUp":
      return <Mark kind=" wait" words="Catching up" />;
    case "offline":
      return <Mark kind=" off" words={`Offline since ${clock(connection.since)}`} title={exactly(connection.since)} />;
    default:
      return connection satisfies never;
  }
}

function Mark({ kind, words, title }: { kind: string; words: string; title?: string }) {
  return (
    <span className={`conn${kind}`} title={title}>
      <i />
      {words}
    </span>
  );
}
