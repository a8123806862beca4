import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { whenLoggedOut } from "./api/http";
import { Socket } from "./api/socket";
import { loadOwn } from "./store/own";
import { Sessions } from "./store/sessions";
import { SessionsContext, SocketContext } from "./store/use";
import "./style/index.css";
import { App } from "./view/App";
import { wearLook } from "./view/shell/look";

wearLook();
const socket = new Socket();
whenLoggedOut(() => socket.refuse());
const sessions = new Sessions(socket);
sessions.start();
socket.start();
// Until they are here, and if they cannot be had, the table's keys hold.
loadOwn().catch(() => {});

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
