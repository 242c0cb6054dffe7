import assert from "node:assert/strict";
import { LAYOUTS } from "../../../shared/contract.ts";
import { IMAGE_PLACES } from "../../../shared/design/tokens.ts";
import { longTimesLeft } from "../../../shared/countdown.ts";
import { FIRST_STEPS } from "../../../shared/fields/order.ts";
import { type FormContent, formHeights } from "../../../shared/form_height.ts";
import { LANGUAGES } from "../../../shared/texts/locales.ts";
import { CHOICES, EVERY_FIELD } from "../testing/fields.ts";
import { ALL_FIELDS } from "../testing/form.ts";
import { browserTest, open } from "../testing/site.ts";

const EMAIL_ONLY = { nameField: "hidden", interests: [], consent: "off", consentText: "" } as const;
const MANY_INTERESTS = ["Coffee beans", "Brewing", "Bread", "Courses in our roastery, in town", "Offers"];
/** No server has it, but its size is known. */
const IMAGE_ID = `${"i".repeat(22)}-1200x630`;
/** The end of countdowns, for long texts. */
const END = Date.UTC(2030, 4, 4, 23, 59, 59);
const coupon = "Subscribe and get 10% off your next order.";

/** Settings of a form in each layout. Both labels of the button can be the longer one. */
const FORMS: Record<string, Omit<FormContent, "layout">> = {
  "English, email only": { ...LANGUAGES["en"]!.form, ...EMAIL_ONLY, interests: [], coupon },
  "German, email only": { ...LANGUAGES["de"]!.form, ...EMAIL_ONLY, interests: [], coupon },
  "Arabic, email only": { ...LANGUAGES["ar"]!.form, ...EMAIL_ONLY, interests: [], coupon },
  "all fields": { ...LANGUAGES["fr"]!.form, ...ALL_FIELDS, coupon },
  "long texts, all fields": {
    ...LANGUAGES["en"]!.form,
    ...ALL_FIELDS,
    heading: "A letter about coffee, bread and everything that is good on a Sunday morning",
    text: "One recipe, one bean, one good read. Every other Sunday, never more than that.",
    button: "Send me the Sunday letter about everything that is good",
    interests: MANY_INTERESTS.map((label) => ({ tag: label, label })),
    consentText: ALL_FIELDS.consentText.repeat(4),
    coupon,
  },
  "a field of every kind": {
    ...LANGUAGES["de"]!.form,
    ...EMAIL_ONLY,
    ...CHOICES,
    interests: [],
    fields: EVERY_FIELD,
    coupon,
  },
  "marks of optional and required fields": {
    ...LANGUAGES["fr"]!.form,
    ...ALL_FIELDS,
    ...CHOICES,
    interests: [],
    fields: EVERY_FIELD.flatMap((field) =>
      [true, false].map((required) => ({
        ...field,
        name: `${field.name}_${required}`,
        required,
        label: "A label that takes a whole line of a small phone",
      }))
    ),
    consent: "optional",
    consentText: "This text takes a whole line of a phone",
    coupon,
  },
  "monospaced and roomy": {
    ...LANGUAGES["fr"]!.form,
    ...ALL_FIELDS,
    coupon,
    design: { font: "monospace", gap: 1.5, radius: 0 },
  },
  "a large heading": {
    ...LANGUAGES["de"]!.form,
    ...ALL_FIELDS,
    heading: "A letter about coffee, bread and everything that is good on a Sunday morning",
    coupon,
    design: { heading: 4 / 3 },
  },
  ...Object.fromEntries([undefined, ...IMAGE_PLACES].map((place) => [`two columns, ${place ?? "no image"}`, {
    ...LANGUAGES["uk"]!.form,
    ...ALL_FIELDS,
    ...CHOICES,
    fields: EVERY_FIELD,
    order: ["text", "email", "name", "country"],
    coupon,
    design: { columns: 2, ...place && { image: { id: IMAGE_ID, alt: "", place } } },
  }])),
  ...Object.fromEntries(IMAGE_PLACES.map((place) => [`an image, ${place}`, {
    ...LANGUAGES["en"]!.form,
    ...ALL_FIELDS,
    text: "One recipe, one bean, one good read. Every other Sunday, never more than that.",
    coupon,
    design: { image: { id: IMAGE_ID, alt: "", place } },
  }])),
  ...Object.fromEntries(FIRST_STEPS.flatMap((steps) => [
    [`two steps, first the ${steps}, email only`, { ...LANGUAGES["de"]!.form, ...EMAIL_ONLY, steps, coupon }],
    [`two steps, first the ${steps}, all fields`, {
      ...LANGUAGES["de"]!.form,
      ...ALL_FIELDS,
      steps,
      next: "Send me the Sunday letter about everything that is good",
      coupon,
    }],
    [`two steps, first the ${steps}, a consent`, {
      ...LANGUAGES["de"]!.form,
      ...EMAIL_ONLY,
      consent: "required" as const,
      consentText: "I agree.",
      steps,
      coupon,
    }],
  ])),
  "a countdown": {
    ...LANGUAGES["de"]!.form,
    ...ALL_FIELDS,
    countdown: longTimesLeft("de", END, Date.now()),
    coupon,
  },
  "a countdown, no texts": {
    ...LANGUAGES["en"]!.form,
    ...EMAIL_ONLY,
    heading: "",
    text: "",
    countdown: longTimesLeft("en", END, Date.now()),
    coupon,
  },
  "no texts": { ...LANGUAGES["en"]!.form, ...EMAIL_ONLY, interests: [], heading: "", text: "", coupon },
};

for (const [name, content] of Object.entries(FORMS)) {
  browserTest(`a form is never higher than its estimated height: ${name}`, async () => {
    const { heading, text, button, steps, countdown, ...fields } = content;
    const own = { heading, text, button };
    await using site = await open(
      LAYOUTS.map((layout) => `<cfbe-form form="${layout}"></cfbe-form>`).join(""),
      {
        viewport: { width: 1400, height: 4000 },
        settings: {
          ...fields,
          texts: {
            ...LANGUAGES["en"]!.form,
            ...own,
            next: fields.next ?? LANGUAGES["en"]!.form.next,
            sending: fields.sending,
            interestsLabel: fields.interestsLabel,
            optional: fields.optional,
            required: fields.required,
          },
          forms: Object.fromEntries(
            LAYOUTS.map((layout) => [layout, {
              layout,
              cfg: layout,
              ...own,
              ...steps && { steps },
              ...countdown && { countdown: { end: END } },
            }]),
          ),
        },
      },
    );
    const { page } = site;
    for (const layout of LAYOUTS) {
      await page.locator(`cfbe-form[form=${layout}] [part=input]`).first().waitFor({ state: "attached" });
    }
    const heightsAt = LAYOUTS.map((layout) => formHeights({ ...content, layout }));
    const tooHigh: string[] = [];
    const measure = async (width: number) => {
      await page.setViewportSize({ width: width + 32, height: 4000 });
      const heights = await page.locator("cfbe-form").evaluateAll((forms, width) => {
        document.body.style.cssText = `margin: 0; width: ${width}px`;
        return forms.map((form) => form.getBoundingClientRect().height);
      }, width);
      LAYOUTS.forEach((layout, index) => {
        const estimate = heightsAt[index]!(width);
        if (heights[index]! > estimate + 0.5) {
          tooHigh.push(`${layout}, ${width} px wide: ${heights[index]}, not ${estimate}`);
        }
      });
    };
    for (let width = 272; width <= 1300; width += 23) await measure(width);
    if (steps) {
      for (const input of await page.locator("[type=email]:visible").all()) await input.fill("a@example.com");
      const next = page.locator("input[type=submit]:visible");
      while (await next.count()) await next.first().click();
      for (let width = 272; width <= 1300; width += 23) await measure(width);
    }
    assert.deepEqual(tooHigh, []);
  });
}
