import { effect, type Signal, signal } from "@preact/signals-core";
import { render } from "preact";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { keepFresh } from "../host/page.ts";
import { emit } from "../signup/events.ts";
import { createSignup, type Signup } from "../signup/signup.ts";
import { ATTRIBUTES, type Attributes, readAttributes } from "./attributes.ts";
import { createModel } from "./model.ts";
import { View } from "./view.tsx";

/**
 * `<cfbe-form>`: a form in a shadow root of its own.
 *
 * Its children are what the page shows without script; they give way when the form is there. So that nothing
 * moves then, the page reserves the form's height.
 */
export class CfbeForm extends HTMLElement {
  static readonly observedAttributes = Object.keys(ATTRIBUTES);

  readonly #internals = this.attachInternals();
  readonly #attributes: Signal<Attributes> = signal(this.#read());
  #context: Context | undefined;
  #settings: Signal<PublicSettings> | undefined;
  #signup: Signup | undefined;
  #letGo: (() => void) | undefined;

  /**
   * Shows the form. Rejects, and leaves the children in place, when the server can't be asked for its settings.
   *
   * @param sheet the form's styles
   */
  async show(context: Context, sheet: CSSStyleSheet): Promise<void> {
    const settings = this.#settings = signal(await context.settings(context.localeOf(this)));
    const signup = this.#signup = createSignup(this, context.base);
    this.#context = context;
    const model = createModel(this, signup, context.load, settings, this.#attributes);

    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    const schemed = getComputedStyle(this).colorScheme !== "normal";
    // The effect sees which signals the components read, and draws again when one changes. It is all that a
    // form of this size needs: hooks and the bindings between signals and Preact would weigh more than the form.
    effect(() => render(<View model={model} schemed={schemed} />, root));
    effect(() => this.#mirror(model.phase.value));

    this.connectedCallback();
    const { form, source } = model.placement();
    emit(this, "ready", { form, source });
  }

  connectedCallback(): void {
    if (this.#signup && this.isConnected) this.#letGo ??= keepFresh(this, this.#signup);
  }

  disconnectedCallback(): void {
    this.#letGo?.();
    this.#letGo = undefined;
  }

  async attributeChangedCallback(name: string): Promise<void> {
    this.#attributes.value = this.#read();
    if (name !== "locale" || !this.#context || !this.#settings) return;
    try {
      this.#settings.value = await this.#context.settings(this.#context.localeOf(this));
    } catch (error) {
      console.warn("[cfbe] the texts of another locale could not be loaded", error);
    }
  }

  #read(): Attributes {
    return readAttributes((name) => this.getAttribute(name), console.warn);
  }

  /** Shows the phase to the page's style sheets, as `:state(busy)` and so on. */
  #mirror(phase: string): void {
    const { states } = this.#internals;
    states.clear();
    states.add(phase);
  }
}
