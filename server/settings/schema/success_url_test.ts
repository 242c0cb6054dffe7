import { POPUP } from "../forms/all_forms.ts";
import assert from "node:assert/strict";
import { settingsOfForm } from "../forms/form_settings.ts";
import { SettingsSchema } from "./schema.ts";
import { nextPageOf, successUrl } from "./success_url.ts";

Deno.test("the next page is a web URL or a path of the site, and never a script or another host in disguise", () => {
  const valid = ["", "/", "/thanks?from=club#top", "https://shop.example/thanks", "HTTP://localhost:8000/"];
  for (const url of valid) assert.equal(successUrl.parse(url), url);
  const invalid = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,hi",
    "blob:https://shop.example/1",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\\\evil.example",
    "thanks",
    "https:evil.example",
    "https://",
    "https://a b",
    `/${"a".repeat(2000)}`,
  ];
  for (const url of invalid) assert.equal(successUrl.safeParse(url).success, false, url);
});

Deno.test("a form inherits the next page, and an empty one of its own keeps visitors on the page", () => {
  const settings = SettingsSchema.parse({
    form: { successUrl: "/thanks" },
    forms: {
      forms: [{ name: "plain" }, { name: "own", successUrl: "/club" }, { name: "stay", successUrl: "" }],
    },
    popup: { successUrl: "https://shop.example/sale" },
  });
  const of = (id: { name?: string; popup?: boolean }) => settingsOfForm(settings, id, []).successUrl;
  assert.deepEqual(["plain", "own", "stay"].map((name) => of({ name })), ["/thanks", "/club", ""]);
  assert.deepEqual([of({ name: POPUP }), of({})], ["https://shop.example/sale", "/thanks"]);
});

Deno.test("a path is one of the site that cfbe is a part of, or of the first allowed origin; without both it leads nowhere", () => {
  const of = (url: string, baseUrl: string, ...origins: string[]) =>
    nextPageOf(url, { baseUrl, origins })?.href;
  const origins = ["https://shop.example", "https://blog.example"];
  assert.equal(of("/thanks", "https://news.example", ...origins), "https://shop.example/thanks");
  assert.equal(
    of("/thanks", "https://shop.example/news", "https://blog.example"),
    "https://shop.example/thanks",
  );
  assert.equal(of("/thanks", "https://news.example"), undefined);
  assert.equal(of("https://shop.example/a", "https://news.example"), "https://shop.example/a");
  assert.equal(of("", "https://shop.example/news", ...origins), undefined);
});
