import { type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import type { Answer, FieldName } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { emit } from "../signup/events.ts";
import { inputsOf, readForm, VISIBLE_FIELDS } from "../signup/fields.ts";
import { type Placement, placementOf } from "../signup/placement.ts";
import type { Signup } from "../signup/signup.ts";
import type { Load, Parts } from "../host/context.ts";
import type { Attributes } from "./attributes.ts";
import type { WebMail } from "./mail_domains.ts";

const INVALID: Record<(typeof VISIBLE_FIELDS)[number], keyof Texts> = {
  email: "invalidEmail",
  name: "invalidName",
  interests: "invalidInterests",
  consent: "invalidConsent",
};

/** Where a form is on its way. Names of the custom states `:state(busy|success|error)`, and `open`. */
export type Phase = "open" | "busy" | "error" | "success";

/** All that a form shows, and what a visitor can do to it. */
export interface Model {
  readonly settings: Signal<PublicSettings>;
  readonly attributes: Signal<Attributes>;
  /** Which form it is, by what the page and the settings say now. */
  placement(): Placement;
  readonly phase: ReadonlySignal<Phase>;
  readonly fields: ReadonlySignal<NonNullable<Answer["fields"]>>;
  /** What is said about the form as a whole. */
  readonly message: ReadonlySignal<string>;
  /** The address that was probably meant. */
  readonly meant: Signal<string | undefined>;
  /** Where the visitor reads mail; known after a signup. */
  readonly webMail: ReadonlySignal<WebMail | undefined>;
  typed(input: HTMLInputElement): void;
  submit(form: HTMLFormElement): Promise<void>;
}

/**
 * @param target where events are sent from
 * @param signup the way to the server
 */
export function createModel(
  target: EventTarget,
  signup: Signup,
  load: Load,
  settings: Signal<PublicSettings>,
  attributes: Signal<Attributes>,
): Model {
  const phase = signal<Phase>("open");
  const fields = signal<NonNullable<Answer["fields"]>>({});
  const message = signal("");
  const meant = signal<string>();
  const webMail = signal<WebMail>();
  const placement = () => {
    const { form, cfg, source } = attributes.peek();
    const named = placementOf(settings.peek(), form || null);
    return { ...named, cfg: cfg ?? named.cfg, source: source ?? named.source };
  };

  // Not needed before the visitor types, so not loaded before. Without it there is no hint, and no link.
  const mail = (use: (part: Parts["mail"]) => void) => load("mail").then(use).catch(() => {});

  const fail = (wrong: NonNullable<Answer["fields"]>, text: string) => {
    fields.value = wrong;
    // With a field marked, a sentence above that says so would only be noise.
    message.value = VISIBLE_FIELDS.some((name) => wrong[name]) ? "" : text;
    phase.value = "error";
  };

  return {
    settings,
    attributes,
    placement,
    phase,
    fields,
    message,
    meant,
    webMail,
    typed({ name, value }) {
      if (name === "email") {
        mail(({ meantAddress }) => meant.value = meantAddress(value));
      }
      if (name in fields.peek()) fields.value = { ...fields.peek(), [name]: undefined };
    },
    async submit(form) {
      const { texts } = settings.peek();
      const wrong: Answer["fields"] = {};
      for (const name of VISIBLE_FIELDS) {
        if (inputsOf(form, name).some((input) => !input.validity.valid)) wrong[name] = texts[INVALID[name]];
      }
      const names = Object.keys(wrong) as FieldName[];
      if (names.length) {
        fail(wrong, "");
        const { form, source } = placement();
        emit(target, "error", { form, source, code: "invalid", fields: names });
        return;
      }
      const filled = readForm(form);
      const answer = await signup.submit(settings.peek(), placement(), filled, () => {
        phase.value = "busy";
        fields.value = {};
        message.value = meant.value = "";
      });
      if (!answer) return;
      if (!answer.success) return fail(answer.fields ?? {}, answer.message);
      const next = attributes.peek()["success-url"];
      if (next !== undefined) return location.assign(next);
      form.reset();
      message.value = answer.message;
      if (answer.code === "pending") {
        mail(({ webMailOf }) => webMail.value = webMailOf(filled.email));
      }
      phase.value = "success";
    },
  };
}
