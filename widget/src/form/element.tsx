import { effect } from "@preact/signals-core";
import { render } from "preact";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { OFF } from "../host/off.ts";
import { keepTokenFresh } from "../host/token_refresh.ts";
import { emit } from "../signup/events.ts";
import type { PopupBlocker } from "../types.ts";
import { ATTRIBUTES, type Attributes, readAttributes } from "./attributes.ts";
import { createModel, type Model } from "./model.ts";
import { View } from "./view.tsx";

/** Parts that change the rendered form, each loaded for forms that have a setting of its name. */
const CHANGES = ["design", "steps", "countdown"] as const;
type Change = (typeof CHANGES)[number];

/** The forms in the page, without those in a popup, slide-in or bar, and those that also open by themselves. */
const inPage = new Set<CfbeForm>();

/** Returns why a form in the page is not shown; undefined if there is no such form. */
const why: NonNullable<Context["why"]> = (name) => {
  const reasons = [...inPage].filter((form) => form.getAttribute("form") === name)
    .map((form) => form.getAttribute(OFF) as PopupBlocker | null);
  if (!reasons.length) return undefined;
  return reasons.includes(null) ? [] : [reasons[0]!];
};

/**
 * Keeps typed characters from the page. Its shortcuts, such as S for its search, can't see that the focus is in a field:
 * outside of the shadow root, the event's target is `<cfbe-form>`.
 */
function keepTyping(root: ShadowRoot): void {
  for (const name of ["keydown", "keypress", "keyup"] as const) {
    root.addEventListener(name, (event) => {
      const { key, ctrlKey, metaKey } = event as KeyboardEvent;
      if (key?.length === 1 && !ctrlKey && !metaKey) event.stopPropagation();
    });
  }
}

/**
 * `<cfbe-form>`: a form in its own shadow root.
 *
 * Without JavaScript the page shows the element's children; the form replaces them. To prevent layout shift, the page
 * reserves the form's height with the rule in docs/embed.md. The success text needs no more room than the form.
 */
export class CfbeForm extends HTMLElement {
  static readonly observedAttributes = Object.keys(ATTRIBUTES);

  readonly #internals = this.attachInternals();
  #shown: { context: Context; model: Model } | undefined;
  #refresh: AbortController | undefined;
  /** Parts that the form, or one that it showed before, has needed. */
  readonly #needed: { [Name in Change]?: unknown } = {};
  #inPage = false;
  /** Shows the form that the page has set in place of one that is off. */
  #showAnother: (() => Promise<void>) | undefined;

  /**
   * Shows the form, unless it is off. Rejects, and leaves the children in place, if the settings cannot be fetched.
   *
   * @param sheet the form's styles
   */
  async show(context: Context, sheet: CSSStyleSheet): Promise<void> {
    const settings = await this.#loadSettings(context);
    const model = createModel(this, context, settings, this.#read());
    const placement = model.placement();
    if (!placement.opens && placement.source !== "popup") {
      inPage.add(this);
      this.#inPage = true;
      context.why = why;
    }
    if (placement.off) {
      this.#showAnother = () => this.show(context, sheet);
      return this.#leaveEmpty();
    }
    if (placement.targeting) await (await context.load("placed")).start(this, context, placement);
    this.#shown = { context, model };

    // A promo bar remembers that it was closed, which is part of the popup's rules. Both load in parallel.
    const parts = ({ promo: ["layout", "rules"], block: ["layout"] } as const)[placement.source as "block"];
    const loading = [model.loadFields(), this.#loadChanges()] as const;
    const applyLayout = parts &&
      await (await Promise.all(parts.map(context.load)))[0]!.loadLayout(context, settings, placement);
    const [fields, change] = await Promise.all(loading);
    // It has one already if rendering failed before.
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    keepTyping(root);
    root.adoptedStyleSheets = [sheet];
    fields?.addStyles(root);
    const pageSetsScheme = getComputedStyle(this).colorScheme !== "normal";
    // The effect tracks the signals that the view reads, and renders again when one changes. Preact's hooks and its
    // signal bindings would add more code than the form itself.
    effect(() => {
      render(<View model={model} pageSetsScheme={pageSetsScheme} />, root);
      this.#exposePhase(model.state.value.phase);
      this.#describeSurface(root, model.placement().texts.heading);
    });

    this.connectedCallback();
    applyLayout?.(this);
    change();
    emit(this, "ready", placement);
  }

  /** Returns the settings for the language and the form that the page has set last, also while they load. */
  async #loadSettings(context: Context): Promise<PublicSettings> {
    const wanted = () => [context.locales(this), this.getAttribute("form")] as const;
    let asked, settings;
    do {
      asked = wanted();
      settings = await context.settings(...asked);
    } while (`${asked}` !== `${wanted()}`);
    return settings;
  }

  /** Shows nothing. Gives its height back only below the visible part of the page, so that nothing moves there. */
  #leaveEmpty(): void {
    this.replaceChildren();
    this.setAttribute(OFF, "disabled");
    this.hidden = this.getBoundingClientRect().top >= innerHeight;
  }

  /** Hides a form that is off, and no longer hides the one that has taken its place. */
  #setOff(off: boolean): void {
    this.hidden = off;
    if (off) this.setAttribute(OFF, "disabled");
    else this.removeAttribute(OFF);
  }

  connectedCallback(): void {
    if (!this.isConnected) return;
    if (this.#inPage) inPage.add(this);
    if (this.#shown) this.#refresh ??= keepTokenFresh(this, this.#shown.model.signup);
  }

  disconnectedCallback(): void {
    if (!this.isConnected) inPage.delete(this);
    this.#refresh?.abort();
    this.#refresh = undefined;
  }

  async attributeChangedCallback(name: string, before?: string | null, now?: string | null): Promise<void> {
    if (!this.#shown) {
      if (name === "form" && this.getAttribute(OFF) === "disabled") {
        this.#setOff(false);
        await this.#showAnother?.().catch(console.warn);
      }
      return;
    }
    const { context, model } = this.#shown;
    model.set({
      attributes: this.#read(),
      // Another form begins anew, also after a signup.
      ...name === "form" && before !== now && { phase: "open", errors: {}, message: "" },
    });
    if (/^(form|locale)$/.test(name)) {
      // If the new settings cannot be fetched, the old ones stay.
      const settings = await this.#loadSettings(context).catch(console.warn);
      if (settings) model.set({ settings });
      const fields = !model.fields() && await model.loadFields().catch(console.warn);
      if (fields) {
        fields.addStyles(this.shadowRoot!);
        model.set({});
      }
      const { off } = model.placement();
      if (off || this.getAttribute(OFF) === "disabled") this.#setOff(!!off);
    }
    (await this.#loadChanges())();
  }

  /**
   * Loads the parts that change the rendered form: its design, its steps and its countdown.
   *
   * @returns a function that applies them, or removes those of the form shown before
   */
  async #loadChanges(): Promise<() => void> {
    const { context, model } = this.#shown!;
    const needed = CHANGES.filter((name) => this.#needed[name] ||= model.placement()[name]);
    const parts = await Promise.all(needed.map(context.load));
    return () => parts.forEach((part) => part.apply(this, model, context.base));
  }

  /** Exposes the phase to the page's style sheets as a custom state. */
  #exposePhase(phase: string): void {
    const { states } = this.#internals;
    try {
      states.clear();
      states.add(phase);
    } catch {
      // Browsers before 2024 have no custom states, or require other names. The form works without them.
    }
  }

  /**
   * Names the popup, slide-in or bar around the form after what the form shows now. Where the form shows a button that
   * closes it, keyboards and screen readers get only that one.
   */
  #describeSurface(root: ShadowRoot, name: string): void {
    if (!(this.getRootNode() as ShadowRoot).host?.matches("cfbe-popup")) return;
    const surface = this.parentElement!;
    const shown = root.querySelector(".done :is(h2,p)") ?? root.querySelector("h2");
    surface.setAttribute("aria-label", shown?.textContent || name);
    const corner = surface.querySelector("button")!;
    const hasOwn = !!root.querySelector(".done button");
    corner.tabIndex = hasOwn ? -1 : 0;
    corner.setAttribute("aria-hidden", `${hasOwn}`);
  }

  #read(): Attributes {
    return readAttributes((name) => this.getAttribute(name), console.warn);
  }
}
