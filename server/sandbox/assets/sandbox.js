// @ts-check

/** Times in the reader's own zone; the page carries UTC for those without script. */
for (const time of document.querySelectorAll("time")) {
  const date = new Date(time.dateTime);
  time.title = time.textContent ?? "";
  time.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

const EVERY_MS = 3000;
const live = /** @type {HTMLElement | null} */ (document.querySelector("[data-live]"));

/** Offers new mail as soon as it is there; never reloads under the reader's hands. */
async function look() {
  if (!live || document.hidden) return;
  const url = new URL(location.href);
  url.pathname += "/inbox.json";
  url.searchParams.set("limit", "1");
  try {
    const answer = await fetch(url, { cache: "no-store" });
    const newest = answer.ok ? (await answer.json()).mails[0]?.id ?? "" : live.dataset.newest;
    if (newest === live.dataset.newest || live.hasChildNodes()) return;
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = "New mail has arrived: show it";
    live.append(link);
    document.title = `(new) ${document.title}`;
  } catch {
    // The service is restarting; the next look finds it.
  }
}

if (live) {
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
}
