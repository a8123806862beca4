// How it stands with the server, in words and with a shape of its own.

import { useConnection, useSocket } from "../../store/use";
import { clock, exactly } from "../words";

export function ConnectionMark() {
  const connection = useConnection();
  const socket = useSocket();
  switch (connection.kind) {
    case "live":
      return <Mark kind="" words="Live" />;
    case "connecting":
      return <Mark kind=" wait" words="Connecting" />;
    case "catchingUp":
      return <Mark kind=" wait" words="Catching up" />;
    case "offline":
      return (
        <button
          type="button"
          className="conn off"
          title={`Since ${exactly(connection.since)}. Press to try now.`}
          onClick={socket.hurry}
        >
          <i />
          Offline since {clock(connection.since)}
        </button>
      );
    default:
      return connection satisfies never;
  }
}

function Mark({ kind, words }: { kind: string; words: string }) {
  return (
    <span className={`conn${kind}`}>
      <i />
      {words}
    </span>
  );
}
