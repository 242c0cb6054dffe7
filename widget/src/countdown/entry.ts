/** The countdown of a form. Loaded only for forms that have one. */
import { timeLeft, timeLeftText } from "../../../shared/countdown.ts";
import type { Model } from "../form/model.ts";
import { browserClock } from "../host/clock.ts";
import css from "./countdown.css?inline" with { type: "text" };

const updates = new WeakMap<ShadowRoot, () => void>();

/** Shows the countdown of a rendered form below its texts, or removes that of the form shown before. */
export function apply({ shadowRoot }: Element, model: Model): void {
  const root = shadowRoot!;
  const update = updates.get(root) ?? countDown(root, model);
  updates.set(root, update);
  update();
}

/** Adds what a countdown needs to a form, and returns what updates it. */
function countDown(root: ShadowRoot, model: Model): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);

  const box = document.createElement("p");
  box.part.value = "countdown";
  const timer = document.createElement("span");
  timer.setAttribute("role", "timer");
  timer.setAttribute("aria-live", "off");
  // Announced politely, because it is a status that is there before it has a text.
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  box.append(timer, status);

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let timeout: ReturnType<typeof setTimeout>;
  const update = () => {
    clearTimeout(timeout);
    const { countdown, locale } = model.placement();
    const left = countdown && timeLeft(countdown.end, browserClock.read().wall, !calm.matches);
    const after = countdown && !left && countdown.after || "";
    // Without a text afterwards, what a visitor has seen keeps its room, so that nothing moves.
    box.className = left || after ? "" : "off";
    if (left) {
      timer.textContent = timeLeftText(locale, left.units);
      timeout = setTimeout(update, left.next);
    } else if (after || !countdown) timer.textContent = "";
    // Set again, it would be announced again.
    if (status.textContent !== after) status.textContent = after;
    const texts = root.querySelector("form > div")!;
    if (!box.textContent) box.remove();
    else if (texts.lastChild !== box) texts.append(box);
  };
  // Rests while it cannot be seen, and where the form is not in the page.
  new IntersectionObserver((entries) => entries.at(-1)!.isIntersecting ? update() : clearTimeout(timeout))
    .observe(box);
  return update;
}
