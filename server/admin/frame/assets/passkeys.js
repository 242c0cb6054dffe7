// Creates and uses passkeys. A button with `data-passkey` asks the browser for one, writes the answer as JSON into the field
// that it names, and submits its form. Without passkeys in the browser, it stays hidden.

const isAddress = /^(\[.*\]|[\d.]+)$/.test(location.hostname);
const available = Boolean(globalThis.PublicKeyCredential) && isSecureContext && !isAddress;

/** Shows the buttons that can work. */
export function preparePasskeys(root) {
  for (const button of root.querySelectorAll("[data-passkey]")) button.hidden = !available;
  for (const note of root.querySelectorAll("[data-without-passkeys]")) note.hidden = available;
}

/** The request that the browser is still asking about. */
let running;

addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-passkey]");
  if (!button) return;
  event.preventDefault();
  running?.abort();
  const { signal } = running = new AbortController();
  const { form } = button;
  const status = form.querySelector("[data-passkey-status]");
  status.textContent = "";
  try {
    const options = await optionsOf(button);
    const answer = await ask(button.dataset.passkey, options, signal);
    form.elements[button.dataset.field].value = JSON.stringify(answer);
    // The form's other fields are another way to do the same.
    form.noValidate = true;
    form.requestSubmit();
  } catch (error) {
    if (!signal.aborted) status.textContent = problemOf(error, button.dataset.passkey);
  }
});

async function optionsOf({ dataset }) {
  if (dataset.options) return JSON.parse(dataset.options);
  const response = await fetch(dataset.optionsAt, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return await response.json();
}

async function ask(kind, options, signal) {
  const publicKey = { ...options, challenge: bytes(options.challenge) };
  for (const list of ["allowCredentials", "excludeCredentials"]) {
    if (options[list]) publicKey[list] = options[list].map((each) => ({ ...each, id: bytes(each.id) }));
  }
  if (options.user) publicKey.user = { ...options.user, id: bytes(options.user.id) };
  const { id, type, rawId, response } = await navigator.credentials[kind]({ publicKey, signal });
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const texts = parts.filter((part) => response[part]).map((part) => [part, text(response[part])]);
  const transports = response.getTransports?.();
  return {
    id,
    type,
    rawId: text(rawId),
    response: { ...Object.fromEntries(texts), ...(transports && { transports }) },
  };
}

const bytes = (base64url) =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));

const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function problemOf({ name }, kind) {
  switch (name) {
    case "NotAllowedError":
      return kind === "create"
        ? "No passkey was created. Try again."
        : "No passkey was used. Try again, or use another way.";
    case "InvalidStateError":
      return "This device already has a passkey for your account.";
    case "SecurityError":
      return "Passkeys work only under the public URL of cfbe. Open the admin there.";
    case "NotSupportedError":
      return "This device can't keep such a passkey. Use another one.";
    default:
      return "That did not work. Reload the page and try again.";
  }
}
