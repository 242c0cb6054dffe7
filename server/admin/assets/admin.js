// Makes the admin faster. Every page works without it, with plain forms.

import { hasUnsaved, keep, offerKept } from "./unsaved.js";

/** Submits a form in the background, and replaces the page with the response. */
async function send(form, submitter, body = new URLSearchParams(new FormData(form, submitter))) {
  form.setAttribute("aria-busy", "true");
  try {
    // `form.action` would be the field with this name.
    const response = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
      headers: { accept: "text/html" },
    });
    if (response.status === 401) keep(form, body);
    show(await response.text(), response.redirected ? response.url : undefined, submitter);
  } catch {
    showError("cfbe could not be reached. Check your connection and try again.");
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Parses a fetched page without its `noscript` elements, which would take effect here. */
function parse(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const part of page.querySelectorAll("noscript")) part.remove();
  return page;
}

function show(html, url, submitter) {
  const next = parse(html);
  const main = next.querySelector("main");
  const frame = document.querySelector(".frame");
  // Another kind of page, such as the sign-in page, replaces the whole document.
  if (!main || !frame || !next.querySelector(".frame")) {
    document.body.replaceChildren(...next.body.childNodes);
    document.title = next.title;
    enhance(document);
    return document.querySelector("main")?.focus();
  }
  const before = document.activeElement;
  const beforeId = before?.id;
  const added = submitter?.name === "_add";
  document.querySelector("main").replaceWith(main);
  document.title = next.title;
  if (url) history.replaceState(null, "", url);
  enhance(main);
  // Focus the added row, the first error, or the element that had the focus.
  const rows = main.querySelectorAll("[data-row]");
  const target = added
    ? rows[rows.length - 1]?.querySelector("input:not([type=hidden]), select, textarea")
    : main.querySelector("[aria-invalid]") ?? (beforeId && document.getElementById(beforeId));
  (target || main).focus({ preventScroll: Boolean(target) && !added });
  if (!target || main.querySelector('[role="alert"]')) scrollTo({ top: 0 });
}

/** Shows an error that comes from the browser and not from the server. */
function showError(text) {
  const status = document.querySelector("[data-status]");
  if (!status) return;
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.textContent = text;
  status.replaceChildren(notice);
  scrollTo({ top: 0 });
}

/** Adds what needs JavaScript: local times and copy buttons. */
function enhance(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    time.title = at.toISOString();
    time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  }
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
  watch();
}

const POLL_MS = 3000;
let polling;

/** Polls the page while it waits for something, and replaces the parts that have changed. */
function watch() {
  clearTimeout(polling);
  if (!document.querySelector("[data-watch]")) return;
  polling = setTimeout(async () => {
    // A failed request is repeated after the same time.
    if (!document.hidden) await refreshLiveParts().catch(() => {});
    watch();
  }, POLL_MS);
}

async function refreshLiveParts() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const next = parse(await answer.text());
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = next.getElementById(part.id);
    if (!now || now.dataset.live === part.dataset.live) continue;
    part.replaceWith(now);
    enhance(now);
    if (now.dataset.announce) announce(now.dataset.announce);
  }
}

/** Announces a change to screen readers. */
function announce(text) {
  const announcement = document.createElement("p");
  announcement.className = "hidden";
  announcement.textContent = text;
  document.querySelector("[data-status]")?.replaceChildren(announcement);
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.form !== "" || event.defaultPrevented) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  // The response replaces the page with all its forms.
  if (hasUnsaved(form) && !confirm("Your unsaved changes on this page will be lost. Continue?")) return;
  send(form, event.submitter);
});

addEventListener("input", ({ target }) => {
  const unsaved = target.form?.querySelector("[data-unsaved]");
  if (unsaved) unsaved.hidden = false;
});

// The preview shows a form's texts while they are typed.
addEventListener("input", ({ target }) => {
  const [, row, text] = /^o:fields\.forms\.(\d+)\.(heading|text|button)$/.exec(target.name ?? "") ?? [];
  if (!text) return;
  const name = target.form.elements[`fields.forms.${row}.name`]?.value;
  const frame = [...document.querySelectorAll("[data-preview]")].find(({ dataset }) =>
    dataset.preview === name
  );
  const shown = frame?.contentDocument?.querySelector("cfbe-form");
  if (target.value === "") shown?.removeAttribute(text);
  else shown?.setAttribute(text, target.value);
});

addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  const label = button.querySelector("[data-copied]") ?? button;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent);
    label.textContent = "Copied";
  } catch {
    // Without permission for the clipboard, select the snippet for the keyboard.
    getSelection().selectAllChildren(source);
    label.textContent = "Press Ctrl+C";
  }
  setTimeout(() => label.textContent = before, 2000);
});

addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-print]")) print();
});

enhance(document);
offerKept((form, body) => send(form, undefined, body));
