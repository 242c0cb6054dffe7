import assert from "node:assert/strict";
import ts from "typescript";
import { en } from "../../shared/texts/en.ts";
import { browserTest, open, type PageOptions, type Site } from "../src/testing/site.ts";

const { outputText: MODULE } = ts.transpileModule(
  Deno.readTextFileSync(new URL("load.ts", import.meta.url)),
  { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } },
);

/** Opens a page with two copies of the module, as some bundles have: `loadCfbe` and `loadCfbe2`. */
async function openBundledPage(
  body: string,
  head: string,
  options: PageOptions = {},
): Promise<Site & { src: string }> {
  const site = await open(body, { ...options, head, live: true });
  for (const name of ["loadCfbe", "loadCfbe2"]) {
    await site.page.addScriptTag({ type: "module", content: `${MODULE}; globalThis.${name} = loadCfbe;` });
  }
  await site.page.waitForFunction(() => "loadCfbe2" in globalThis);
  return Object.assign(site, { src: `${site.backend.base}/cfbe.js` });
}

const scriptRequests = ({ backend }: Site) => backend.requests.filter((path) => path === "/cfbe.js").length;

for (
  const [page, head] of [
    ["a page without the script", ""],
    ["a page with its own script tag", '<script async src="SCRIPT"></script>'],
    ["a page with an element whose id is cfbe", '<meta id="cfbe">'],
  ] as const
) {
  browserTest(
    `on ${page}, repeated calls load one script and all return window.cfbe`,
    async () => {
      await using site = await openBundledPage("<cfbe-form></cfbe-form>", head);
      const same = await site.page.evaluate(`Promise.all([
      loadCfbe("${site.src}"), loadCfbe("${site.src}"), loadCfbe2("${site.src}"),
    ]).then(async (all) => [...all, await loadCfbe2("${site.src}")].every((one) => one === window.cfbe))`);
      assert.equal(same, true);
      await site.page.getByLabel(en.form.emailLabel).waitFor();
      assert.equal(scriptRequests(site), 1);
      assert.equal(await site.page.locator(`script[src="${site.src}"]`).count(), 1);
      assert.deepEqual(site.logs, []);
    },
  );
}

browserTest("loadCfbe rejects if the script fails to load, and the next call tries again", async () => {
  await using site = await openBundledPage("", "");
  const { page, src } = site;
  await page.route(src, (route) => route.abort(), { times: 1 });
  const message = await page.evaluate(`loadCfbe("${src}").catch((error) => error.message)`);
  assert.equal(message, `[cfbe] could not load ${src}`);
  assert.equal(await page.evaluate(`loadCfbe("${src}").then((cfbe) => typeof cfbe.subscribe)`), "function");
});

browserTest("attributes are set on the script tag", async () => {
  await using site = await openBundledPage("<cfbe-form></cfbe-form>", "", { html: 'lang="de"' });
  await site.page.evaluate(`loadCfbe("${site.src}", { "data-locale": "pt", nonce: "abc" })`);
  await site.page.getByLabel(en.form.emailLabel).waitFor();
  assert.deepEqual(site.backend.locales, ["pt,de,de,en-US"]);
  assert.equal(
    await site.page.locator("script[data-locale]").evaluate((script: HTMLElement) => script.nonce),
    "abc",
  );
});
