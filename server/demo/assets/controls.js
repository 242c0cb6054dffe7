// @ts-check
import { base, journey, pause, SUBSCRIBE } from "./api.js";

/** Connects the page's buttons and switches. @param {(problem: string) => void} complain */
export function connectControls(complain) {
  connectSwitches().catch(() => complain("The sandbox does not answer."));
  onClick("[data-bot]", beABot, complain);
  onClick("[data-look]", look, complain);
  onClick("[data-copy]", copy, complain);
}

/**
 * @param {string} selector
 * @param {(button: HTMLButtonElement) => Promise<void>} act
 * @param {(problem: string) => void} complain
 */
function onClick(selector, act, complain) {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector(selector);
  button?.addEventListener("click", async () => {
    if (button.ariaDisabled === "true") return;
    // Not `disabled`: that would take the focus away.
    button.ariaDisabled = "true";
    try {
      await act(button);
    } catch (error) {
      complain(`That did not work: ${error instanceof Error ? error.message : error}.`);
    } finally {
      button.ariaDisabled = null;
    }
  });
}

async function look() {
  const answer = await fetch(`${base}/demo/look`, { method: "POST", body: new URLSearchParams() });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  await navigator.clipboard.writeText(document.querySelector("[data-snippet]")?.textContent ?? "");
  button.textContent = "Copied";
  await pause(2000);
  button.textContent = "Copy";
}

/** The switches show the sandbox's own state, which its page may have changed meanwhile. */
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

/** Does what robots do, and shows that the answer tells them nothing. */
async function beABot() {
  const says = document.querySelector("[data-bot-says]");
  const since = Date.now();
  const before = (await journey(since))?.dropped ?? 0;
  const { token } = await (await fetch(`${base}/wp-json/cfbe/v1/form-token`)).json();
  const answer = await fetch(SUBSCRIBE, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      source: "shortcode",
      email: "robot@example.com",
      cfbe_hp: "https://spam.example",
      cfbe_token: token,
    }),
  });
  const body = document.createElement("pre");
  body.tabIndex = 0;
  body.textContent = `HTTP ${answer.status}\n${JSON.stringify(await answer.json(), null, 2)}`;
  const verdict = document.createElement("p");
  const dropped = ((await journey(since))?.dropped ?? 0) - before;
  verdict.textContent = "To the robot this looks like success. Nothing was stored, and no mail is sent." +
    (dropped > 0 ? ` Only the owner sees it, in a count: ${dropped} dropped.` : "");
  says?.replaceChildren(body, verdict);
}
