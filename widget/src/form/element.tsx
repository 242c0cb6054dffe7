import { effect } from "@preact/signals-core";
import { render } from "preact";
import type { Context } from "../host/context.ts";
import { keepFresh } from "../host/page.ts";
import { emit } from "../signup/events.ts";
import { ATTRIBUTES, type Attributes, readAttributes } from "./attributes.ts";
import { createModel, type Model } from "./model.ts";
import { View } from "./view.tsx";

/**
 * `<cfbe-form>`: a form in a shadow root of its own.
 *
 * Its children are what the page shows without script; they give way when the form is there. So that nothing
 * moves then, the page reserves the height which its form has, by the rule in docs/embed.md. The success text takes no
 * more room than the form before it.
 */
export class CfbeForm extends HTMLElement {
  static readonly observedAttributes = Object.keys(ATTRIBUTES);

  readonly #internals = this.attachInternals();
  #shown: { context: Context; model: Model } | undefined;
  #life: AbortController | undefined;

  /**
   * Shows the form. Rejects, and leaves the children in place, when the server can't be asked for its settings.
   *
   * @param sheet the form's styles
   */
  async show(context: Context, sheet: CSSStyleSheet): Promise<void> {
    const settings = await context.settings(context.localeOf(this));
    const model = createModel(this, context, settings, this.#read());
    this.#shown = { context, model };

    const placement = model.placement();
    const layOut = ["block", "promo"].includes(placement.source)
      ? await (await context.load("layout")).layOut(context, settings, placement)
      : undefined;
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    const schemed = getComputedStyle(this).colorScheme !== "normal";
    // The effect sees which signals the view reads, and draws again when one changes. It is all that a form of
    // this size needs: hooks and the bindings between signals and Preact would weigh more than the form.
    effect(() => {
      render(<View model={model} schemed={schemed} />, root);
      this.#mirror(model.state.value.phase);
    });

    this.connectedCallback();
    layOut?.(this);
    emit(this, "ready", placement);
  }

  connectedCallback(): void {
    if (this.#shown && this.isConnected) this.#life ??= keepFresh(this, this.#shown.model.signup);
  }

  disconnectedCallback(): void {
    this.#life?.abort();
    this.#life = undefined;
  }

  async attributeChangedCallback(name: string): Promise<void> {
    if (!this.#shown) return;
    const { context, model } = this.#shown;
    model.set({ attributes: this.#read() });
    if (name !== "locale") return;
    // Without the new texts the old ones stay.
    const settings = await context.settings(context.localeOf(this)).catch(console.warn);
    if (settings) model.set({ settings });
  }

  /** Shows the phase to the page's style sheets. */
  #mirror(phase: string): void {
    const { states } = this.#internals;
    try {
      states.clear();
      states.add(phase);
    } catch {
      // Browsers before 2024 have no such states, or want other names; the form does without.
    }
  }

  #read(): Attributes {
    return readAttributes((name) => this.getAttribute(name), console.warn);
  }
}
