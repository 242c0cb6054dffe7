import assert from "node:assert/strict";
import { ar } from "../../../shared/texts/ar.ts";
import { en } from "../../../shared/texts/en.ts";
import { ALL_FIELDS } from "../testing/form.ts";
import { browserTest, open, until } from "../testing/site.ts";

const forms = {
  plain: { layout: "inline" as const, cfg: "plain.cfg" },
  own: {
    layout: "inline" as const,
    cfg: "own.cfg",
    nameField: "hidden" as const,
    interests: [],
    consentText: "Own consent.",
    texts: { emailLabel: "Work email", invalidConsent: "Own message." },
  },
};
const popup = {
  cfg: "popup.cfg",
  consent: "off" as const,
  consentText: "",
  button: "Join",
};

browserTest(
  "each form and the popup show their own fields, texts and consent, and the default ones otherwise",
  async () => {
    const html = '<cfbe-form form="plain"></cfbe-form><cfbe-form form="own"></cfbe-form>';
    await using site = await open(html, { settings: { ...ALL_FIELDS, forms, popup } });
    const { page, backend } = site;
    const [plain, own] = ["plain", "own"].map((name) => page.locator(`cfbe-form[form=${name}]`)) as [
      ReturnType<typeof page.locator>,
      ReturnType<typeof page.locator>,
    ];
    const shown = async (form: typeof own) => ({
      names: await form.locator("input:not([name=cfbe_hp])").evaluateAll((
        inputs,
      ) => [...new Set(inputs.map((input) => (input as HTMLInputElement).name))]),
      consent: await form.locator("[part=consent]").allTextContents(),
      label: await form.locator("label[for=email]").textContent(),
    });
    await own.locator("#email").waitFor();
    assert.deepEqual(await shown(plain), {
      names: ["email", "name", "interests", "consent"],
      consent: ["I have read the privacy policy."],
      label: en.form.emailLabel,
    });
    assert.deepEqual(await shown(own), {
      names: ["email", "consent"],
      consent: ["Own consent."],
      label: "Work email",
    });

    await own.locator("#email").fill("ada@example.com");
    await own.locator("[part=button]").click();
    await own.getByText("Own message.").waitFor();
    await own.locator("[name=consent]").check();
    await own.locator("[part=button]").click();
    await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
    const { form, cfbe_cfg } = backend.signups[0]!.body;
    assert.deepEqual([form, cfbe_cfg], ["own", "own.cfg"]);

    await page.evaluate("cfbe.open()");
    const inPopup = page.locator("cfbe-popup cfbe-form");
    await inPopup.getByRole("button", { name: "Join" }).waitFor();
    assert.deepEqual((await shown(inPopup)).names, ["email", "name", "interests"]);
    assert.deepEqual(site.logs, []);
  },
);

browserTest(
  "a form and the popup in another language than the page's are whole in it, with the language and direction they have",
  async () => {
    const inArabic = { locale: "ar", dir: "rtl" as const, heading: ar.form.heading, texts: ar.form };
    await using site = await open('<cfbe-form form="plain"></cfbe-form><cfbe-form form="own"></cfbe-form>', {
      settings: { forms: { ...forms, own: { ...forms.own, ...inArabic } }, popup: { ...popup, ...inArabic } },
    });
    const { page } = site;
    const partOf = (host: string) => page.locator(`${host} [part=form]`);
    await partOf("cfbe-form[form=own]").waitFor();
    const languageOf = (part: ReturnType<typeof partOf>) =>
      part.evaluate((form) => [(form as HTMLElement).lang, (form as HTMLElement).dir]);
    assert.deepEqual(await languageOf(partOf("cfbe-form[form=own]")), ["ar", "rtl"]);
    assert.deepEqual(await languageOf(partOf("cfbe-form[form=plain]")), ["en", "ltr"]);
    assert.equal(
      await page.locator("cfbe-form[form=own] label[for=email]").textContent(),
      ar.form.emailLabel,
    );
    await page.evaluate("cfbe.open()");
    await partOf("cfbe-popup cfbe-form").waitFor();
    assert.deepEqual(await languageOf(page.locator("cfbe-popup [part=dialog]")), ["ar", "rtl"]);
    await page.getByRole("button", { name: ar.form.close }).waitFor();
    assert.deepEqual(site.logs, []);
  },
);
