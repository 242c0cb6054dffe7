import { type Signal, signal } from "@preact/signals-core";
import { type SubscribeResponse, VISITOR_FIELDS } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Context, Parts } from "../host/context.ts";
import { emit } from "../signup/events.ts";
import { inputsOf, readForm } from "../signup/fields.ts";
import { type Placement, placementOf } from "../signup/placement.ts";
import { createSignup, type Signup } from "../signup/signup.ts";
import type { Attributes } from "./attributes.ts";
import type { WebMail } from "./mail_domains.ts";

/** Everything that a form renders from. */
export interface State {
  settings: PublicSettings;
  attributes: Attributes;
  /** The phase of the signup; also the name of the custom state, such as `:state(busy)`. */
  phase: "open" | "busy" | "error" | "success";
  /** Error messages by field. */
  errors: NonNullable<SubscribeResponse["fields"]>;
  /** Message about the form as a whole; while a field shows an error, the first of them, for screen readers. */
  message: string;
  /** A correction of the typed address. */
  suggestion?: string | undefined;
  /** The visitor's webmail service; shown after a signup. */
  webMail?: WebMail | undefined;
}

/** The state of a form, with its settings. */
export type ViewState = State & Placement;

/** A form's state and the visitor's actions. */
export interface Model {
  readonly state: Signal<State>;
  /** Sends the form's signups. */
  readonly signup: Signup;
  set(change: Partial<State>): void;
  /** Loads the code of the form's own fields, if it has any, or has its fields in an order of its own. */
  loadFields(): Promise<Parts["fields"] | undefined>;
  /** That code, once it is loaded. */
  fields(): Parts["fields"] | undefined;
  placement(): Placement;
  /** Handles a change of an input. */
  input(input: HTMLInputElement): void;
  submit(form: HTMLFormElement): Promise<void>;
  /** Updates the steps of the form. Set by the code for steps, which also replaces `submit`. */
  updateSteps?(): void;
}

/**
 * Creates a form's model.
 *
 * @param target the node that dispatches the form's events
 */
export function createModel(
  target: Node,
  context: Context,
  settings: PublicSettings,
  attributes: Attributes,
): Model {
  const state = signal<State>({ settings, attributes, phase: "open", errors: {}, message: "" });
  const set = (change: Partial<State>) => {
    state.value = { ...state.peek(), ...change };
  };
  const placement = () => {
    const { settings, attributes: { form, cfg, source, "success-url": successUrl } } = state.peek();
    const named = placementOf(settings, form || null);
    return {
      ...named,
      cfg: cfg ?? named.cfg,
      source: source ?? named.source,
      successUrl: successUrl ?? named.successUrl ?? "",
    };
  };
  const signup = createSignup(target, context, placement);
  // Loaded when the visitor starts typing. If loading fails, the form works without suggestions and inbox links.
  // All lookups share one promise, so that they complete in the order of typing.
  let mail: Promise<Parts["mail"]> | undefined;
  const lookUp = (address: string) =>
    (mail ??= context.load("mail")).then(
      ({ suggestAddress, webMailOf }) => {
        const suggestion = suggestAddress(address);
        const webMail = webMailOf(address);
        const shown = state.peek();
        // Most keys change neither.
        if (suggestion !== shown.suggestion || webMail?.name !== shown.webMail?.name) {
          set({ suggestion, webMail });
        }
      },
      () => {},
    );

  let loaded: Parts["fields"] | undefined;

  return {
    state,
    signup,
    set,
    placement,
    async loadFields() {
      const { fields = [], order = [] } = placement();
      return [...fields, ...order].length ? loaded ??= await context.load("fields") : undefined;
    },
    fields: () => loaded,
    input(input) {
      const { name } = input;
      if (name === "email") {
        // A copied address can begin or end with a no-break space, which the browser neither removes nor allows.
        const value = input.value.trim();
        if (value !== input.value) input.value = value;
        lookUp(value);
      }
      const field = name.replace(/^fields.(.+)]/, "$1");
      const { errors } = state.peek();
      if (errors[field]) set({ errors: { ...errors, [field]: undefined }, message: "" });
    },
    async submit(form) {
      const { texts, fields = [], successUrl } = placement();
      const more = loaded?.readFields(form, fields);
      const errors: State["errors"] = {};
      for (const name of VISITOR_FIELDS) {
        if (inputsOf(form, name).some(({ validity }) => !validity.valid)) {
          errors[name] = texts[`invalid${name[0]!.toUpperCase()}${name.slice(1)}` as "invalidEmail"];
        }
      }
      if (more) Object.assign(errors, loaded!.checkFields(placement(), more));
      const names = Object.keys(errors);
      if (names.length) {
        set({ phase: "error", errors, message: "" });
        emit(target, "error", placement(), { code: "invalid", fields: names });
        return;
      }
      const response = await signup.submit({ ...readForm(form), ...more && { fields: more } }, () => {
        set({ phase: "busy", errors, suggestion: undefined });
      });
      if (!response) return;
      const { success, message, fields: serverErrors = {} } = response;
      if (!success) {
        set({ phase: "error", errors: serverErrors, message });
      } else {
        form.reset();
        // Also before the next page, which can take a while to load.
        set({ phase: "success", message });
        if (successUrl) location.href = successUrl;
      }
    },
  };
}
