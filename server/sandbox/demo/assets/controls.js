// @ts-check
import { base, journey, pause, SUBSCRIBE } from "./api.js";

/** Connects the page's buttons and switches. @param {(problem: string) => void} report */
export function connectControls(report) {
  connectSwitches().catch(() => report("The sandbox does not respond."));
  onClick("[data-bot]", sendAsBot, report);
  onClick("[data-poll]", pollNow, report);
  onClick("[data-copy]", copy, report);
}

/**
 * @param {string} selector
 * @param {(button: HTMLButtonElement) => Promise<void>} act
 * @param {(problem: string) => void} report
 */
function onClick(selector, act, report) {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector(selector);
  button?.addEventListener("click", async () => {
    if (button.ariaDisabled === "true") return;
    // Not `disabled`, which would remove the focus.
    button.ariaDisabled = "true";
    try {
      await act(button);
    } catch (error) {
      report(`That did not work: ${error instanceof Error ? error.message : error}.`);
    } finally {
      button.ariaDisabled = null;
    }
  });
}

async function pollNow() {
  const answer = await fetch(`${base}/demo/poll`, { method: "POST", body: new URLSearchParams() });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  await navigator.clipboard.writeText(document.querySelector("[data-snippet]")?.textContent ?? "");
  button.textContent = "Copied";
  await pause(2000);
  button.textContent = "Copy";
}

/** The switches show the sandbox's state, which may have been changed on the sandbox's pages. */
async function connectSwitches() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll("[data-switch]");
  if (boxes.length === 0) return;
  const show = (/** @type {Record<string, string>} */ faults) => {
    for (const box of boxes) box.checked = faults[box.dataset.switch ?? ""] !== box.dataset.off;
  };
  for (const box of boxes) {
    box.addEventListener("change", async () => {
      const { switch: name = "", on, off } = box.dataset;
      const answer = await fetch(`${base}/sandbox/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ [name]: box.checked ? on : off }),
      }).catch(() => undefined);
      if (answer?.ok) show(await answer.json());
      else box.checked = !box.checked;
    });
  }
  const answer = await fetch(`${base}/sandbox/faults.json`, { cache: "no-store" });
  if (answer.ok) show(await answer.json());
}

/** Sends what a bot sends, and shows that the response reveals nothing. */
async function sendAsBot() {
  const result = document.querySelector("[data-bot-result]");
  const since = Date.now();
  const before = (await journey(since))?.dropped ?? 0;
  const { token } = await (await fetch(`${base}/wp-json/cfbe/v1/form-token`)).json();
  const answer = await fetch(SUBSCRIBE, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      source: "shortcode",
      email: "bot@example.com",
      cfbe_hp: "https://spam.example",
      cfbe_token: token,
    }),
  });
  const body = document.createElement("pre");
  body.tabIndex = 0;
  body.textContent = `HTTP ${answer.status}\n${JSON.stringify(await answer.json(), null, 2)}`;
  const verdict = document.createElement("p");
  const dropped = ((await journey(since))?.dropped ?? 0) - before;
  verdict.textContent = "To the bot this looks like a success. Nothing was stored and no email is sent." +
    (dropped > 0 ? ` Only the site owner sees it, in the counters: ${dropped} dropped.` : "");
  result?.replaceChildren(body, verdict);
}
