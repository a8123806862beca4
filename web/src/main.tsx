import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { whenLoggedOut } from "./api/http";
import { Socket } from "./api/socket";
import { Sessions } from "./store/sessions";
import { SessionsContext, SocketContext } from "./store/use";
import "./style/index.css";
import { App } from "./view/App";

// Who is not known any more is shown the page to log in, which the server gives instead of this one.
whenLoggedOut(() => location.reload());

const socket = new Socket();
const sessions = new Sessions(socket);
sessions.start();
socket.start();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <SocketContext value={socket}>
        <SessionsContext value={sessions}>
          <App />
        </SessionsContext>
      </SocketContext>
    </StrictMode>,
  );
}
