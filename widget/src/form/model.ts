import { type Signal, signal } from "@preact/signals-core";
import { type Answer, type FieldName, VISITOR_FIELDS } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Context, Parts } from "../host/context.ts";
import { emit } from "../signup/events.ts";
import { inputsOf, readForm } from "../signup/fields.ts";
import { type Placement, placementOf } from "../signup/placement.ts";
import { createSignup, type Signup } from "../signup/signup.ts";
import type { Attributes } from "./attributes.ts";
import type { WebMail } from "./mail_domains.ts";

/** All that a form shows. */
export interface State {
  settings: PublicSettings;
  attributes: Attributes;
  /** Where it is on its way; but for `open` the names of the states `:state(busy|success|error)`. */
  phase: "open" | "busy" | "error" | "success";
  /** What is wrong with a field. */
  fields: NonNullable<Answer["fields"]>;
  /** What is said about the form as a whole. */
  message: string;
  /** The address that was probably meant. */
  meant?: string | undefined;
  /** Where the visitor reads mail; shown after a signup. */
  webMail?: WebMail | undefined;
}

/** A form's state, and what a visitor can do to it. */
export interface Model {
  readonly state: Signal<State>;
  /** The way to the server. */
  readonly signup: Signup;
  set(change: Partial<State>): void;
  placement(): Placement;
  typed(input: HTMLInputElement): void;
  submit(form: HTMLFormElement): Promise<void>;
}

/** @param target where events are sent from */
export function createModel(
  target: Node,
  context: Context,
  settings: PublicSettings,
  attributes: Attributes,
): Model {
  const state = signal<State>({ settings, attributes, phase: "open", fields: {}, message: "" });
  const set = (change: Partial<State>) => {
    state.value = { ...state.peek(), ...change };
  };
  const placement = () => {
    const { settings, attributes: { form, cfg, source } } = state.peek();
    const named = placementOf(settings, form || null);
    return { ...named, cfg: cfg ?? named.cfg, source: source ?? named.source };
  };
  const signup = createSignup(target, context, placement);
  // Not needed before the visitor types, so not loaded before. Without it there is no hint, and no link.
  // One promise for all, so that what was typed last is also answered last.
  let mail: Promise<Parts["mail"]> | undefined;
  const lookUp = (address: string) =>
    (mail ??= context.load("mail")).then(
      ({ meantAddress, webMailOf }) => set({ meant: meantAddress(address), webMail: webMailOf(address) }),
      () => {},
    );

  return {
    state,
    signup,
    set,
    placement,
    typed({ name, value }) {
      if (name === "email") lookUp(value);
      set({ fields: { ...state.peek().fields, [name]: undefined } });
    },
    async submit(form) {
      const { settings, attributes: { "success-url": next } } = state.peek();
      const fields: State["fields"] = {};
      for (const name of VISITOR_FIELDS) {
        if (inputsOf(form, name).some(({ validity }) => !validity.valid)) {
          fields[name] = settings.texts[`invalid${name[0]!.toUpperCase()}${name.slice(1)}` as "invalidEmail"];
        }
      }
      const names = Object.keys(fields) as FieldName[];
      if (names.length) {
        set({ phase: "error", fields, message: "" });
        emit(target, "error", placement(), { code: "invalid", fields: names });
        return;
      }
      const answer = await signup.submit(settings, readForm(form), () => {
        set({ phase: "busy", fields, meant: undefined });
      });
      if (!answer) return;
      const { success, message, fields: wrong = {} } = answer;
      if (!success) {
        // With a field marked, a sentence below that says so would only be noise.
        set({
          phase: "error",
          fields: wrong,
          message: VISITOR_FIELDS.some((name) => wrong[name]) ? "" : message,
        });
      } else if (next) {
        location.href = next;
      } else {
        form.reset();
        set({ phase: "success", message });
      }
    },
  };
}
