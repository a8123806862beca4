import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { whenLoggedOut } from "./api/http";
import { Socket } from "./api/socket";
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
