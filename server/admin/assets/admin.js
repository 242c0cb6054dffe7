// What makes the admin quicker. Every page works without: a form is sent, and the answer is a page.

/** Sends a form in the background and puts the answer in the page's place. */
async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  form.setAttribute("aria-busy", "true");
  try {
    // Not `form.action`: that is the field of this name.
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
      headers: { accept: "text/html" },
    });
    show(await response.text(), response.redirected ? response.url : undefined, submitter);
  } catch {
    say("The service can't be reached. Nothing was changed; try again in a moment.");
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** A page that was fetched. What is in it for readers without a script would come to life here. */
function parsed(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const part of page.querySelectorAll("noscript")) part.remove();
  return page;
}

function show(html, url, submitter) {
  const next = parsed(html);
  const main = next.querySelector("main");
  const frame = document.querySelector(".frame");
  // Another kind of page, such as the one to sign in: then as without script.
  if (!main || !frame || !next.querySelector(".frame")) {
    document.body.replaceChildren(...next.body.childNodes);
    document.title = next.title;
    dress(document);
    return document.querySelector("main")?.focus();
  }
  const before = document.activeElement;
  const known = { id: before?.id, name: submitter?.name };
  document.querySelector("main").replaceWith(main);
  document.title = next.title;
  if (url) history.replaceState(null, "", url);
  dress(main);
  // Where something is wrong or new, else where one was.
  const rows = main.querySelectorAll("[data-row]");
  const place = known.name === "_add"
    ? rows[rows.length - 1]?.querySelector("input:not([type=hidden]), select, textarea")
    : main.querySelector("[aria-invalid]") ?? (known.id && document.getElementById(known.id));
  (place || main).focus({ preventScroll: Boolean(place) && known.name !== "_add" });
  if (!place || main.querySelector('[role="alert"]')) scrollTo({ top: 0 });
}

/** For ears and eyes: something that no page of the service says. */
function say(text) {
  const says = document.querySelector("[data-says]");
  if (!says) return;
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.textContent = text;
  says.replaceChildren(notice);
  scrollTo({ top: 0 });
}

/** What only a browser knows: the reader's own time, and how to copy. */
function dress(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    time.title = at.toISOString();
    time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  }
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
  watch();
}

const LOOK_AGAIN_MS = 3000;
let looking;

/** Looks at the page again while something on it is waited for, and puts what has become of it in its place. */
function watch() {
  clearTimeout(looking);
  if (!document.querySelector("[data-watch]")) return;
  looking = setTimeout(async () => {
    // What can't be had now is asked for again.
    if (!document.hidden) await lookAgain().catch(() => {});
    watch();
  }, LOOK_AGAIN_MS);
}

async function lookAgain() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const next = parsed(await answer.text());
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = next.getElementById(part.id);
    if (!now || now.dataset.live === part.dataset.live) continue;
    part.replaceWith(now);
    dress(now);
    if (now.dataset.tell) tell(now.dataset.tell);
  }
}

/** For ears alone: eyes see it where it is. */
function tell(text) {
  const said = document.createElement("p");
  said.className = "hidden";
  said.textContent = text;
  document.querySelector("[data-says]")?.replaceChildren(said);
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.form !== "" || event.defaultPrevented) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") !== "true") send(form, event.submitter);
});

addEventListener("input", ({ target }) => {
  const unsaved = target.form?.querySelector("[data-unsaved]");
  if (unsaved) unsaved.hidden = false;
});

// What is typed into a form's own words shows in its preview at once.
addEventListener("input", ({ target }) => {
  const [, row, word] = /^o:fields\.forms\.(\d+)\.(heading|text|button)$/.exec(target.name ?? "") ?? [];
  if (!word) return;
  const name = target.form.elements[`fields.forms.${row}.name`]?.value;
  const frame = [...document.querySelectorAll("[data-preview]")].find(({ dataset }) =>
    dataset.preview === name
  );
  const shown = frame?.contentDocument?.querySelector("cfbe-form");
  if (target.value === "") shown?.removeAttribute(word);
  else shown?.setAttribute(word, target.value);
});

addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  const says = button.querySelector("[data-copied]") ?? button;
  const before = says.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent);
    says.textContent = "Copied";
  } catch {
    // No leave to write the clipboard: what is to be copied is marked, for the keyboard.
    getSelection().selectAllChildren(source);
    says.textContent = "Press Ctrl+C";
  }
  setTimeout(() => says.textContent = before, 2000);
});

addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-print]")) print();
});

dress(document);
