// Logs in with the token of a launch link. It stands after the `#`, so no server, proxy or log ever sees it in an address.
const words = document.getElementById("words");
const form = document.getElementById("form");

async function login(token) {
  words.textContent = "Logging in …";
  words.className = "busy";
  let response;
  try {
    response = await fetch("api/v1/login", {
      method: "POST",
      headers: { "content-type": "application/json", "x-quarterdeck": "1" },
      body: JSON.stringify({ token }),
    });
  } catch {
    return complain("The server does not answer. Is it running?");
  }
  if (response.ok) {
    location.replace("./");
    return;
  }
  const answer = await response.json().catch(() => undefined);
  complain(`Not logged in: ${answer?.error?.message ?? `the server says ${response.status}`}.`);
}

function complain(text) {
  words.textContent = text;
  words.className = "";
}

function take() {
  const token = location.hash.slice(1);
  // Elsewhere this page stands in for another, whose `#` names a session.
  if (!token || !location.pathname.endsWith("/login")) return;
  // Not to be left in the history.
  history.replaceState(null, "", location.pathname);
  login(token);
}
take();
// The link may be opened where this page is open already.
addEventListener("hashchange", take);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  login(document.getElementById("token").value.trim().replace(/^.*#/, ""));
});
