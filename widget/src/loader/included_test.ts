import assert from "node:assert/strict";
import type { NamedSettings, PublicSettings } from "../../../shared/public_settings.ts";
import { hashOf } from "../../../shared/text_hash.ts";
import type { Context } from "../host/context.ts";
import { type IncludedParts, withIncluded } from "./included.ts";

const settingsOf = (locale: string, ...names: string[]) =>
  ({
    locale,
    texts: {},
    forms: Object.fromEntries(names.map((name) => [name, { layout: "inline", cfg: `${name}.cfg` }])),
    popup: { cfg: "popup.cfg" },
  }) as unknown as PublicSettings;

/** Returns a context with the settings of `footer`, and what it asks the server for. */
function included(
  named: Partial<NamedSettings> = {},
  parts: IncludedParts = {},
  origin = "https://shop.example",
) {
  Object.assign(globalThis, { location: { origin } });
  const asked: string[] = [];
  const context = {
    load: (name: string) => Promise.resolve(void asked.push(name)),
    settings: (locales: string) => {
      asked.push(locales);
      return Promise.resolve(settingsOf("en", "footer", "hero"));
    },
  } as unknown as Context;
  const settings = settingsOf("en", "footer");
  return {
    asked,
    settings,
    context: withIncluded(context, parts, { settings, isOnlyRegion: true, ...named }),
  };
}

Deno.test("settings that came with the script are used for the locales that the server would choose them for", async () => {
  for (const locales of ["en", "en-US,de", "EN_us", "en,en,en"]) {
    const { context, asked, settings } = included();
    assert.equal(await context.settings(locales, "footer"), settings, locales);
    assert.deepEqual(asked, []);
  }
  for (const locales of ["de,en", "", "english", "e", "en-US"]) {
    const { context, asked } = included({ isOnlyRegion: locales !== "en-US" });
    await context.settings(locales, "footer");
    assert.deepEqual(asked, [locales]);
  }
});

Deno.test("a page on another than the allowed origins asks the server, and never uses what came with the script", async () => {
  const origins = [hashOf("https://shop.example")];
  const { context, asked } = included({ origins }, {}, "https://evil.example");
  await context.settings("en", "footer");
  assert.deepEqual(asked, ["en"]);
  const allowed = included({ origins });
  await allowed.context.settings("en", "footer");
  assert.deepEqual(allowed.asked, []);
});

Deno.test("the settings of a page's other form are fetched, and then known to all that have the first ones", async () => {
  const { context, asked, settings } = included();
  const first = await context.settings("en");
  assert.deepEqual(Object.keys(first.forms), ["footer"]);
  assert.equal(await context.settings("en", "hero"), settings);
  assert.deepEqual([first.forms["hero"]?.cfg, first.forms["footer"]?.cfg], ["hero.cfg", "footer.cfg"]);
  assert.deepEqual(asked, ["en"]);
  await context.settings("en", "constructor");
  assert.deepEqual(asked, ["en", "en"]);
});

Deno.test("a part that came with the script runs once, when it is needed, and others are imported", async () => {
  let runs = 0;
  const mail = { suggestAddress: () => undefined, webMailOf: () => undefined };
  const { context, asked } = included({}, { mail: () => (runs++, mail) });
  assert.equal(runs, 0);
  assert.deepEqual([await context.load("mail"), await context.load("mail")], [mail, mail]);
  await context.load("popup");
  assert.deepEqual([runs, asked], [1, ["popup"]]);
});
