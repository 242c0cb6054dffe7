import assert from "node:assert/strict";
import { startProgram } from "../../../dev/testing/program.ts";

const countdown = "2036-07-01T09:00";
const SETTINGS = {
  general: { timeZone: "Europe/Berlin" },
  form: { locales: { de: { forms: [{ name: "sale", countdownAfter: "Zu spät." }] } } },
  forms: {
    forms: [
      { name: "plain" },
      { name: "sale", countdown, countdownAfter: "Too late." },
      { name: "over", countdown: "2020-07-01T09:00", countdownAfter: "Over." },
    ],
  },
  popup: { countdown },
};

Deno.test("pages learn the end of a countdown, in the site's time zone, and its text in their language", async () => {
  await using program = await startProgram({ file: { settings: SETTINGS as never } });
  const read = async (locale: string) =>
    await (await fetch(`${program.baseUrl}/cfbe.json?locale=${locale}`)).json();
  const end = Date.UTC(2036, 6, 1, 7);
  const { forms, popup } = await read("en");
  assert.deepEqual([forms.plain.countdown, forms.sale.countdown, popup.countdown], [
    undefined,
    { end, after: "Too late." },
    { end },
  ]);
  assert.equal((await read("de")).forms.sale.countdown.after, "Zu spät.");
});

Deno.test("the page of a form shows the date that it counts down to in the site's time zone, and afterwards its text", async () => {
  await using program = await startProgram({ file: { settings: SETTINGS as never } });
  const page = async (name: string) =>
    (await (await fetch(`${program.baseUrl}/form/${name}?locale=en`)).text()).replaceAll("\u202f", " ");
  assert.match(
    await page("sale"),
    /<time datetime="2036-07-01T07:00:00.000Z">July 1, 2036 at 9:00 AM GMT\+2<\/time>/,
  );
  const over = await page("over");
  assert.match(over, /<p>Over\.<\/p>/);
  assert.doesNotMatch(over, /<time/);
});
