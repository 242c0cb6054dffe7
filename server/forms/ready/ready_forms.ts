import type { z } from "zod";
import type { FormDesign } from "../../../shared/design/tokens.ts";
import { isoDay } from "../../platform/observe/funnel.ts";
import type { FormText } from "../../settings/schema/form_texts.ts";
import { namedForm, type translatedForm } from "../../settings/schema/form_schema.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { codeHeading } from "./one_code.ts";
import type { ReadyFormId } from "./ready_texts.ts";
import { READY_TEXTS } from "./text_table.ts";

/** A form to start from. Its texts are in `texts/`, one file for each language. */
export interface ReadyForm {
  title: string;
  /** What it is good for, in a sentence, with what its owner has to do for it to work. */
  use: string;
  /** Everything but its texts. Its design has no colors of its own besides a preset. */
  form:
    & Omit<
      z.input<typeof namedForm>,
      "name" | "title" | "status" | "schedule" | "countdown" | "experiment" | "design" | FormText
    >
    & { design: FormDesign };
  /** Days after which it ends by itself, on the last minute of the day. It counts down to that. */
  days?: number;
}

const firstName = { name: "first_name", kind: "firstName" } as const;
const lastName = { name: "last_name", kind: "lastName" } as const;
const asked = { ...firstName, required: true };

const READY_FORMS: Record<ReadyFormId, ReadyForm> = {
  newsletter: {
    title: "Newsletter in the footer",
    use: "For the foot of every page: a short form that asks for the email address only.",
    form: { layout: "inline", design: { spacing: "compact" } },
  },
  "article-end": {
    title: "End of an article",
    use: "Asks readers who have just finished an article whether they want the next ones.",
    form: { layout: "block", design: { preset: "editorial" } },
  },
  "coupon-popup": {
    title: "Coupon popup",
    use:
      "Offers new visitors a discount code: one for everybody, which the form shows, or one for each by email, from your shop.",
    form: {
      design: { preset: "bloom" },
      opens: { kind: "popup", triggers: { delaySeconds: 15, scrollPercent: 40 } },
    },
  },
  waitlist: {
    title: "Waitlist",
    use: "Collects people who want to be told when a product or service starts, with their first name.",
    form: { layout: "inline", design: { spacing: "roomy" }, fields: [firstName], tags: ["waitlist"] },
  },
  event: {
    title: "Event",
    use:
      "Registers people for an event, with first and last name. Adds a tag that you can send the details to.",
    form: {
      layout: "block",
      design: { preset: "midnight" },
      fields: [asked, { ...lastName, required: true }],
      tags: ["event"],
    },
  },
  "lead-magnet": {
    title: "Lead magnet",
    use:
      "Offers a guide in a corner of the page once visitors have read half of it. Send the guide from your provider.",
    form: {
      design: { preset: "paper" },
      fields: [firstName],
      tags: ["guide"],
      opens: { kind: "slide-in", triggers: { delaySeconds: 0, scrollPercent: 50 } },
    },
  },
  "back-in-stock": {
    title: "Back in stock",
    use:
      "For pages of sold-out products. Each signup keeps the path of its page, so that you know which product.",
    form: { layout: "inline", design: { spacing: "compact" }, tags: ["back-in-stock"], attribution: true },
  },
  "exit-popup": {
    title: "Exit popup",
    use: "Opens when the mouse leaves the page, and for touch screens after a minute without any input.",
    form: {
      design: { preset: "forest" },
      opens: { kind: "popup", triggers: { delaySeconds: 0, exitIntent: true, inactiveSeconds: 60 } },
    },
  },
  "deadline-bar": {
    title: "Top bar with a deadline",
    use:
      "A bar over the top of the window that counts down and ends by itself after seven days. You can choose another time.",
    form: { design: { preset: "midnight" }, opens: { kind: "bar-top", triggers: { delaySeconds: 3 } } },
    days: 7,
  },
  "two-step-popup": {
    title: "Two-step popup",
    use: "Opens after ten seconds with a question and a button, and asks for the email address after that.",
    form: {
      design: { radius: "round" },
      steps: "button",
      opens: { kind: "popup", triggers: { delaySeconds: 10 } },
    },
  },
};

export const readyForm = (id: ReadyFormId): ReadyForm => READY_FORMS[id];

/**
 * Returns the design that a ready form gets on a site. One whose form defaults have a look of their own keeps it, in place of
 * the preset.
 */
export function readyDesign(settings: Settings, id: ReadyFormId): FormDesign {
  const { preset, ...others } = readyForm(id).form.design;
  const { image: _, ...look } = settings.form.design;
  const hasLook = Object.values(look).some((value) => value !== undefined);
  return preset === undefined || hasLook ? others : { preset, ...others };
}

/**
 * Returns a ready form with its texts by language, as a site would have it.
 *
 * @param main the language of its original texts, and of the form for visitors with a language that it does not have
 * @param languages those of its texts besides `main`; all, if not given
 * @param code a code that it says to everybody who signs up
 */
export function formFromReady(
  settings: Settings,
  id: ReadyFormId,
  { name, title, now, main = "en", languages, code }: {
    name: string;
    title: string;
    now: number;
    main?: string | undefined;
    languages?: readonly string[] | undefined;
    code?: string | undefined;
  },
): { form: z.output<typeof namedForm>; texts: Record<string, z.output<typeof translatedForm>> } {
  const { form, days } = readyForm(id);
  const end = days && `${isoDay(siteDay(settings, now) + days)}T23:59`;
  const textsIn = (locale: string) => ({
    ...READY_TEXTS[locale]![id],
    ...(code && { texts: { successHeading: codeHeading(locale, code) } }),
  });
  const all = Object.keys(READY_TEXTS).filter((locale) => locale !== main);
  const others = all.filter((locale) => languages?.includes(locale) ?? true);
  return {
    form: namedForm.parse({
      ...form,
      name,
      title,
      design: readyDesign(settings, id),
      ...textsIn(main),
      ...(others.length < all.length && { language: main }),
      ...(end && { schedule: { until: end }, countdown: end }),
    }),
    texts: Object.fromEntries(others.map((locale) => [locale, textsIn(locale)])),
  };
}
