// Logs in with the token of a launch link. It stands after the `#`, so no server, proxy or log ever sees it in an address.
const words = document.getElementById("words");
const form = document.getElementById("form");

async function login(token) {
  words.textContent = "Logging in …";
  let response;
  try {
    response = await fetch("api/v1/login", {
      method: "POST",
      headers: { "content-type": "application/json", "x-quarterdeck": "1" },
      body: JSON.stringify({ token }),
    });
  } catch {
    words.textContent = "The server does not answer. Is it running?";
    return;
  }
  if (response.ok) {
    location.replace("./");
    return;
  }
  const answer = await response.json().catch(() => undefined);
  words.textContent = `Not logged in: ${answer?.error?.message ?? `the server says ${response.status}`}.`;
}

const token = location.hash.slice(1);
if (token) {
  // Not to be left in the history.
  history.replaceState(null, "", location.pathname);
  login(token);
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  login(document.getElementById("token").value.trim().replace(/^.*#/, ""));
});
