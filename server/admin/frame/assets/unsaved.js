// Protects changes that were typed but not saved: against leaving the page, and against an expired session.

const KEY = "cfbe-unsaved";
const MAX_AGE_MS = 60 * 60 * 1000;
const page = () => location.pathname + location.search;

/** Returns whether a form other than `except` has changes that are not saved. */
export function hasUnsaved(except) {
  return [...document.querySelectorAll("[data-unsaved]")].some((note) =>
    !note.hidden && note.closest("form") !== except
  );
}

/** Keeps what a settings form was about to save, without secrets, until the user has signed in again. */
export function keep(form, body) {
  if (!form.querySelector("[data-unsaved]")) return;
  const secrets = [...form.querySelectorAll("input[type=password]")].filter(({ value }) => value);
  const fields = [...body].filter(([name]) => !secrets.some((secret) => secret.name === name));
  const kept = { page: page(), at: Date.now(), fields, secrets: secrets.length > 0 };
  sessionStorage.setItem(KEY, JSON.stringify(kept));
}

/** Offers to save what was kept, on the page it belongs to. @param save receives the form and its body */
export function offerKept(save) {
  const kept = read();
  const form = kept &&
    document.querySelector(`form[data-form]:has([name="action"][value="${actionOf(kept)}"])`);
  if (!form) return;
  const forget = () => sessionStorage.removeItem(KEY);
  const notice = document.createElement("div");
  notice.className = "notice warn";
  const text = document.createElement("p");
  text.textContent = "Your session had ended, so your changes were not saved." +
    (kept.secrets ? " Enter secrets again." : "");
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  const button = (label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", () => {
      forget();
      notice.remove();
      act();
    });
    buttons.append(made);
  };
  button("Save them now", () => save(form, new URLSearchParams(kept.fields)));
  button("Discard", () => {});
  const content = document.createElement("div");
  content.append(text, buttons);
  notice.append(content);
  document.querySelector("[data-status]")?.append(notice);
}

/** Returns what was kept for this page within the last hour. */
function read() {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  if (kept && Date.now() - kept.at > MAX_AGE_MS) sessionStorage.removeItem(KEY);
  else if (kept?.page === page()) return kept;
}

function actionOf({ fields }) {
  return CSS.escape(fields.find(([name]) => name === "action")[1]);
}

addEventListener("beforeunload", (event) => {
  if (hasUnsaved()) event.preventDefault();
});
