import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import type { NamedSettings, PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import { hashOf } from "../../../shared/text_hash.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { partsOf } from "./script_route.ts";

const start = (settings: PartialSettings) => startProgram({ file: { settings }, run: false });

async function request(program: TestProgram, query: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${program.baseUrl}/cfbe.js${query}`, { headers });
  return { status: response.status, headers: response.headers, code: await response.text() };
}

/** Returns what a script passes to its loader. */
function passedBy(code: string): { parts: string[]; named: NamedSettings } {
  const start = code.lastIndexOf("})({") + 2;
  const passed = runInNewContext(
    `((parts, named) => JSON.stringify({ parts: Object.keys(parts), named }))${code.slice(start)}`,
  );
  return JSON.parse(String(passed));
}

const FORMS = { forms: [{ name: "footer" }, { name: "hero", layout: "block" as const }] };
const HOSTILE = `</script><script>alert(1)</script>'"\\\u2028\u2029\${1}$&`;

Deno.test("a script that names its form has the form's code and settings in it, and no other form's", async () => {
  await using program = await start({ forms: FORMS });
  const { status, headers, code } = await request(program, "?form=footer&locale=en");
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(headers.get("cache-control"), "public, max-age=60");
  const { parts, named } = passedBy(code);
  assert.deepEqual(parts, ["form", "mail"]);
  assert.deepEqual(Object.keys(named.settings.forms), ["footer"]);
  const all = await (await fetch(`${program.baseUrl}/cfbe.json?locale=en`)).json() as PublicSettings;
  assert.deepEqual({ ...all, forms: { footer: all.forms["footer"] } }, named.settings);
  assert.deepEqual(passedBy((await request(program, "?own=footer&locale=en")).code).parts, ["own"]);
});

Deno.test("a script that names no form is the same for every page, as before", async () => {
  await using program = await start({ forms: FORMS });
  const plain = await request(program, "");
  for (const query of ["?form=", "?own=", "?v=3", "?form"]) {
    const { code, headers } = await request(program, query);
    assert.equal(code, plain.code, query);
    assert.equal(headers.get("cache-control"), "public, max-age=300");
    assert.equal(headers.get("vary"), "Accept-Encoding");
  }
});

Deno.test("texts of the settings and names in the URL can't end the script or change its code", async () => {
  await using program = await start({
    forms: { forms: [{ name: "footer", heading: HOSTILE, text: HOSTILE }] },
    form: { consent: "optional", consentText: HOSTILE },
  });
  const { code } = await request(program, "?form=footer&locale=en");
  const { named } = passedBy(code);
  assert.equal(named.settings.forms["footer"]!.heading, HOSTILE);
  assert.equal(named.settings.consentText, HOSTILE);
  assert.ok(!/[<\u2028\u2029]/.test(code.slice(code.lastIndexOf("JSON.parse"))));
  const without = await request(program, "?form=none&locale=en");
  for (const name of ["constructor", "__proto__", HOSTILE, "a".repeat(5000), "../cfbe", "%ff"]) {
    const { status, code } = await request(program, `?form=${encodeURIComponent(name)}&locale=en`);
    assert.deepEqual([status, code === without.code], [200, true], name);
  }
});

Deno.test("a form that is a draft has neither settings nor a name in the script", async () => {
  await using program = await start({ forms: { forms: [{ name: "secret-club", status: "draft" }] } });
  const { code } = await request(program, "?form=secret-club&locale=en");
  assert.ok(!code.includes("secret-club"));
  assert.deepEqual(passedBy(code).named.settings.offForms, [hashOf("secret-club")]);
});

Deno.test("a browser that has the script gets 304 until the settings change", async () => {
  await using program = await start({ forms: FORMS });
  const first = await request(program, "?form=footer&locale=en");
  const etag = first.headers.get("etag")!;
  const again = () => request(program, "?form=footer&locale=en", { "if-none-match": etag });
  const unchanged = await again();
  assert.deepEqual([unchanged.status, unchanged.code, unchanged.headers.get("cache-control")], [
    304,
    "",
    "public, max-age=60",
  ]);
  await program.services.settings.save("form", { texts: { heading: "Another heading" } });
  const changed = await again();
  assert.equal(changed.status, 200);
  assert.ok(changed.code.includes("Another heading"));
});

Deno.test("the script is in the language of `locale`, else in the browser's, and caches are told which", async () => {
  await using program = await start({ forms: FORMS });
  const localeOf = async (query: string, language: string) => {
    const { code, headers } = await request(program, `?form=footer${query}`, { "accept-language": language });
    const { settings, isOnlyRegion } = passedBy(code).named;
    return [settings.locale, isOnlyRegion, headers.get("vary")?.toLowerCase().includes("accept-language")];
  };
  assert.deepEqual(await localeOf("&locale=de", "fr"), ["de", true, false]);
  assert.deepEqual(await localeOf("", "fr-CH, fr;q=0.9"), ["fr", true, true]);
  assert.deepEqual(await localeOf("", "pt-PT"), ["pt", false, true]);
});

Deno.test("the allowed origins are in the script as hashes, and cfbe's own with them", async () => {
  await using program = await start({ forms: FORMS, general: { origins: ["https://shop.example"] } });
  const { code } = await request(program, "?form=footer&locale=en");
  assert.ok(!code.includes("shop.example"));
  const { origins, settings } = passedBy(code).named;
  assert.deepEqual(origins, ["https://shop.example", program.baseUrl].map(hashOf));
  assert.equal(settings.asText, true);
  await using open = await start({ forms: FORMS });
  const { named } = passedBy((await request(open, "?form=footer&locale=en")).code);
  assert.deepEqual([named.origins, named.settings.asText], [undefined, undefined]);
});

Deno.test("if the settings can't be read, the script is the loader alone, which asks for them again", async () => {
  await using program = await start({ forms: FORMS });
  const plain = await request(program, "");
  program.services.consentTexts.store = () => Promise.reject(new Error("the database is gone"));
  const { status, headers, code } = await request(program, "?form=footer");
  assert.deepEqual([status, headers.get("cache-control"), code === plain.code], [200, "no-store", true]);
});

Deno.test("the script has every part that a page with the form loads in any case, and no other", () => {
  const settings = (form: object, more: object = {}) =>
    ({ forms: { a: form as PublicForm }, popup: {}, ...more }) as unknown as PublicSettings;
  const of = (form: object, more?: object, own = false) =>
    partsOf(settings(form, more), "a", own).toSorted().join(" ");
  assert.equal(of({}), "form mail");
  assert.equal(of({ layout: "block" }), "form layout mail");
  assert.equal(of({ layout: "promo" }), "form layout mail rules");
  assert.equal(of({ design: {}, steps: "email", countdown: {} }), "countdown design form mail steps");
  assert.equal(of({}, { design: {} }), "design form mail");
  assert.equal(of({ fields: [{}] }), "fields form mail");
  assert.equal(of({ order: ["name", "email"] }), "fields form mail");
  assert.equal(of({ targeting: [] }), "form mail placed rules targeting");
  assert.equal(of({ attribution: true }, { visit: "visit" }), "form mail page visit");
  assert.equal(
    of({ experiment: { variants: [{ steps: "button" }] } }, { preload: "variants" }),
    "form mail steps variants",
  );
  assert.equal(of({}, { popup: { rules: { triggers: {} } } }), "form mail rules");
  assert.equal(
    of({}, { popup: { rules: { triggers: { more: {} }, targeting: [] } } }),
    "form mail rules targeting triggers",
  );
  assert.equal(of({ opens: { triggers: {} } }, { opening: ["a"] }), "form mail openings rules");
  assert.equal(of({ design: {}, steps: "email", layout: "promo", fields: [{}] }, {}, true), "fields own");
});
