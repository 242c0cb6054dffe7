// Shows unsaved changes of a form's settings in its preview.

const DELAY_MS = 150;
let waiting;
let latest = 0;

/** Draws a preview from what is in its form now. Keeps it as it is while that is invalid. */
async function draw(frame, form) {
  const request = ++latest;
  const { pathname, search } = new URL(frame.src);
  const body = new URLSearchParams(new FormData(form));
  const response = await fetch(pathname + search, { method: "POST", body }).catch(() => undefined);
  if (!response?.ok || request !== latest) return;
  frame.contentWindow?.postMessage({ previewSettings: await response.json() }, location.origin);
}

function drawSoon(frame, form) {
  clearTimeout(waiting);
  waiting = setTimeout(() => draw(frame, form), DELAY_MS);
}

for (const type of ["input", "change"]) {
  addEventListener(type, ({ target }) => {
    const frame = target.form?.id && document.querySelector(`iframe[data-preview="${target.form.id}"]`);
    if (frame) drawSoon(frame, target.form);
  });
}

// A page that was shown again with unsaved changes, for example with errors, has a preview of the saved ones.
addEventListener("load", ({ target }) => {
  const form = target.dataset?.preview && document.getElementById(target.dataset.preview);
  const note = form && form.querySelector("[data-unsaved]");
  if (note && !note.hidden) draw(target, form);
}, true);
