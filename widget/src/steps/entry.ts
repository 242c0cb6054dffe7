/**
 * Forms in two steps: the first has only a button or the email address. Loaded only for forms that have them. The first step
 * sends nothing, because the signup is one request with everything.
 */
import type { Model } from "../form/model.ts";
import { emit } from "../signup/events.ts";
import type { Placement } from "../signup/placement.ts";
import css from "./steps.css?inline" with { type: "text" };

/** Divides a rendered form into its steps. One without a second step is shown as a whole. */
export function apply({ shadowRoot }: Element, model: Model): void {
  (model.updateSteps ??= divide(shadowRoot!, model))();
}

const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, properties?: object) =>
  Object.assign(document.createElement(name), properties) as HTMLElementTagNameMap[Name];

/** Adds what steps need to a form, and returns what updates it. */
function divide(root: ShadowRoot, model: Model): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);

  const form = root.querySelector("form")!;
  const email = form.querySelector<HTMLInputElement>("[type=email]")!;
  const line = email.closest(".line")!;
  const row = make("div");
  const back = make("button", { part: "hint back", type: "button" });
  // Announced, because it is a status.
  const label = make("output", { part: "step" });
  // An input, because a popup that a visitor opened gives the first one the focus.
  const next = make("input", { part: "button", type: "submit" });
  row.append(back, label);
  // After the heading. Preact neither moves nor removes what it has not rendered.
  form.firstElementChild!.after(row);

  let placement: Placement | undefined;
  /** The step that the visitor is in, and the one that is shown: 0 for the whole form. */
  let step = 1;
  let shown: number;
  /** Whether the first step has the email address. */
  let asksEmail: boolean;

  const update = () => {
    const before = placement;
    placement = model.placement();
    const { steps, texts } = placement;
    if (before?.form !== placement.form) step = 1;
    asksEmail = steps === "email";
    next.remove();
    // The submit button is beside the email address if there is nothing else.
    shown = !steps || asksEmail && line.querySelector("[part=button]") ? 0 : step;
    form.className = `step-${shown}`;
    line.parentElement!.className = asksEmail ? "first" : "";
    row.className = shown > +asksEmail ? "line" : "offscreen";
    back.hidden = shown < 2;
    back.textContent = texts.back;
    label.value = shown > 1 ? texts.stepTwo : "";
    next.value = texts.next;
    if (shown === 1) (asksEmail ? line : row).append(next);
  };

  const go = (to: number) => {
    step = to;
    model.set({ message: "" });
    update();
    form.querySelector<HTMLElement>(to > 1 ? "[name]:not(.first *)" : "input")!.focus();
  };
  back.onclick = () => form.closest(".busy") || go(1);

  const { submit } = model;
  model.submit = async (form) => {
    if (shown !== 1) {
      await submit(form);
      if (asksEmail && model.state.peek().errors.email) {
        step = 1;
        update();
      }
    } else if (asksEmail && !email.validity.valid) {
      model.set({ phase: "error", errors: { email: placement!.texts.invalidEmail }, message: "" });
      emit(root.host, "error", placement!, { code: "invalid", fields: ["email"] });
    } else go(2);
  };
  return update;
}
