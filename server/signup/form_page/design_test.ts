import assert from "node:assert/strict";
import { type PartialSettings } from "../../settings/schema/schema.ts";
import { harness } from "../../../dev/testing/harness.ts";

const IMAGE = { id: `${"i".repeat(22)}-1200x630`, alt: 'A "loaf" </p><script>', place: "top" } as const;

async function pageOf(settings: PartialSettings, path: string) {
  await using app = await harness({ settings });
  const html = await (await app.fetch(path)).text();
  const [, href] = /href="([^"]*form-design[^"]*)"/.exec(html) ?? [];
  const response = href === undefined ? undefined : await app.fetch(href.replace(/^https?:\/\/[^/]+/, ""));
  return { html, css: await response?.text(), headers: response?.headers };
}

Deno.test("a form page has the design of its form, in a style sheet of its own", async () => {
  const forms = { forms: [{ name: "footer", design: { preset: "paper", image: IMAGE } }] } as const;
  const { html, css, headers } = await pageOf({ forms } as never, "/form/footer");
  assert.match(css!, /--card: light-dark\(#fbf4e8, #241d17\);/);
  assert.match(css!, /font-family: Charter, /);
  assert.equal(headers!.get("content-type"), "text/css; charset=utf-8");
  assert.match(
    html,
    /<img src="[^"]*\/cfbe-image\/i+-1200x630\.webp" alt="A &quot;loaf&quot; &lt;\/p>&lt;script>" width="1200" height="630"\/>/,
  );
  assert.doesNotMatch(html, /<style|style=/);
});

Deno.test("a form page shows a background image behind the form", async () => {
  const form = { design: { image: { ...IMAGE, place: "background" } } };
  const { html, css } = await pageOf({ form } as never, "/form");
  assert.match(css!, /background: url\("[^"]*\/cfbe-image\/i+-1200x630\.webp"\) center \/ cover fixed;/);
  assert.doesNotMatch(html, /<img/);
});

Deno.test("a form page has its heading in the size of the design", async () => {
  const { css } = await pageOf({ form: { design: { headingSize: "s" } } } as never, "/form");
  assert.match(css!, /h1 {\n {2}font-size: calc\(1\.6rem \* 0\.83/);
});

Deno.test("a form page has its fields in the columns of the design", async () => {
  const { css } = await pageOf({ form: { design: { columns: 2 } } } as never, "/form");
  assert.match(css!, /form > \* {[^}]*grid-column: 1 \/ -1;/);
});

Deno.test("a form page without a design has no further style sheet", async () => {
  assert.equal((await pageOf({}, "/form")).css, undefined);
});
