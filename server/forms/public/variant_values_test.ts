import assert from "node:assert/strict";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { heightsOfForm } from "./heights_of_form.ts";

/** What variants of an experiment have besides texts: the next page, the countdown, and the time to open. */

const OWN = "https://shop.example/thanks";
const OTHER = "https://shop.example/offer";
const running = (...overrides: object[]) => ({
  id: "x1",
  state: "running" as const,
  variants: overrides.map((each, index) => ({ id: "abc"[index]!, name: "abc"[index]!, overrides: each })),
});
const shown = async (app: Harness): Promise<PublicSettings> => await (await app.fetch("/cfbe.json")).json();
const withoutCfg = <Variant extends { cfg: string }>({ cfg: _, ...variant }: Variant) => variant;

const nextPages = (successUrl: string) => ({
  forms: {
    forms: [{
      name: "footer",
      successUrl,
      experiment: running({}, { successUrl: OTHER }, { successUrl: "" }),
    }],
  },
});

Deno.test("a variant has a next page of its own, or shows the message in place of its form's", async () => {
  await using app = await harness({ settings: nextPages(OWN) });
  const { successUrl, experiment } = (await shown(app)).forms["footer"]!;
  assert.equal(successUrl, OWN);
  assert.deepEqual(experiment!.variants.map((each) => each.successUrl), [undefined, OTHER, ""]);
});

Deno.test("a signup of a new, a known and a dropped address gets the same response in each variant, whatever its next page", async () => {
  await using app = await harness({ settings: nextPages(OWN) });
  app.provider.put(LIST, "old@example.com", "active");
  const { variants } = (await shown(app)).forms["footer"]!.experiment!;
  const responses: string[] = [];
  for (const [index, { cfg }] of variants.entries()) {
    for (
      const [email, cfbe_hp] of [[`new${index}@example.com`, ""], ["old@example.com", ""], [
        "a@b.example",
        "bot",
      ]]
    ) {
      const response = await app.post({ email, form: "footer", cfbe_cfg: cfg, cfbe_hp }, {
        peer: `192.0.2.${index}`,
      });
      responses.push(`${response.status} ${await response.text()} ${response.headers.get("location")}`);
    }
  }
  assert.equal(new Set(responses).size, 1, responses.join("\n"));
  assert.match(responses[0]!, /^200 .*pending/);
});

Deno.test("without JavaScript, a new, a known and a dropped address get the same redirect to the form's own next page, in each variant", async () => {
  await using app = await harness({ settings: nextPages(OWN) });
  app.provider.put(LIST, "old@example.com", "active");
  const { variants } = (await shown(app)).forms["footer"]!.experiment!;
  const sent = new Set<string>();
  for (const [index, { cfg }] of variants.entries()) {
    for (
      const [email, cfbe_hp] of [[`new${index}@example.com`, ""], ["old@example.com", ""], [
        "a@b.example",
        "bot",
      ]]
    ) {
      const body = new URLSearchParams({
        email: email!,
        cfbe_hp: cfbe_hp!,
        cfbe_token: app.token(),
        cfbe_cfg: cfg,
      });
      const response = await app.fetch("/form/footer", { method: "POST", body }, `192.0.2.${index}`);
      const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
      sent.add(JSON.stringify([response.status, headers, await response.text()]));
    }
  }
  assert.equal(sent.size, 1, [...sent].join("\n"));
  const [status, headers] = JSON.parse([...sent][0]!);
  assert.deepEqual([status, headers.location], [303, OWN]);
});

Deno.test("a variant counts down to another minute, has another text afterwards, or has no countdown", async () => {
  const countdown = "2036-07-01T09:00";
  const variants = [
    {},
    { countdown: "2036-07-02T09:00" },
    { countdownAfter: "Missed it.", locales: { de: { countdownAfter: "Verpasst." } } },
    { countdown: "" },
  ];
  const experiment = {
    ...running(),
    variants: variants.map((overrides, id) => ({ id: `${id}`, name: `${id}`, overrides })),
  };
  const form = { name: "sale", countdown, countdownAfter: "Too late." };
  await using app = await harness({
    settings: {
      general: { timeZone: "Europe/Berlin" },
      form: { locales: { de: { forms: [{ name: "sale", countdownAfter: "Zu spät." }] } } },
      forms: { forms: [{ ...form, experiment }, { ...form, name: "plain", countdown: undefined }] },
    },
  });
  const end = Date.UTC(2036, 6, 1, 7);
  const read = async (locale: string) =>
    ((await (await app.fetch(`/cfbe.json?locale=${locale}`)).json()) as PublicSettings).forms["sale"]!;
  const countdowns = async (locale: string) =>
    (await read(locale)).experiment!.variants.map(({ countdown }) => countdown);
  assert.deepEqual((await read("en")).countdown, { end, after: "Too late." });
  const dayLater = end + 86_400_000;
  assert.deepEqual(await countdowns("en"), [
    undefined,
    { end: dayLater, after: "Too late." },
    { end, after: "Missed it." },
    null,
  ]);
  assert.deepEqual(await countdowns("de"), [
    undefined,
    { end: dayLater, after: "Zu spät." },
    { end, after: "Verpasst." },
    null,
  ]);
});

Deno.test("the reserved height is enough for a countdown that only a variant has", async () => {
  const forms = (...overrides: object[]) => ({
    forms: { forms: [{ name: "sale", experiment: running(...overrides) }] },
  });
  await using without = await harness({ settings: forms({}, {}) });
  await using app = await harness({ settings: forms({}, { countdown: "2036-07-01T09:00" }) });
  const [before, after] = [without, app].map((each) =>
    heightsOfForm(each.services.settings.current(), { name: "sale" }, ["en"], Date.UTC(2036, 5, 1))
  );
  assert.ok(after!.wide > before!.wide, JSON.stringify([before, after]));
});

const slideIn = { kind: "slide-in" as const, triggers: { delaySeconds: 20, exitIntent: true } };

Deno.test("if variants of a form open at different times, each has the form's opening with its own time, and signups through all forms count", async () => {
  const experiment = running({}, { delaySeconds: 5 });
  await using app = await harness({
    settings: { forms: { forms: [{ name: "footer", opens: slideIn, experiment }] } },
  });
  const { opens, experiment: given } = (await shown(app)).forms["footer"]!;
  const [a, b] = given!.variants.map(withoutCfg);
  assert.equal(given!.all, true);
  assert.deepEqual(a!.opens, opens, "also the first one, so that sessions count from the same moment");
  assert.deepEqual(b!.opens, { ...opens, triggers: { ...opens!.triggers, delaySeconds: 5 } });
});

Deno.test("variants of the popup open at different times only while it opens by itself", async () => {
  const experiment = running({}, { delaySeconds: 0 });
  for (const enabled of [true, false]) {
    await using app = await harness({ settings: { popup: { enabled, experiment } } });
    const { rules, experiment: given } = (await shown(app)).popup;
    const delays = given!.variants.map((each) => each.rules?.triggers.delaySeconds);
    assert.deepEqual([given!.all, delays], enabled ? [true, [20, 0]] : [undefined, [undefined, undefined]]);
    assert.equal(rules?.triggers.delaySeconds, enabled ? 20 : undefined);
  }
});

Deno.test("in an experiment about something else, only signups through the form itself count", async () => {
  const experiment = running({}, { heading: "News", delaySeconds: 20 });
  await using app = await harness({
    settings: { forms: { forms: [{ name: "footer", opens: slideIn, experiment }] } },
  });
  const given = (await shown(app)).forms["footer"]!.experiment!;
  assert.deepEqual([given.all, given.variants[1]!.opens], [undefined, undefined]);
});
