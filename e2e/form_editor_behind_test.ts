/** A page of the site behind the form in the editor. */
import assert from "node:assert/strict";
import { axeFindings } from "./admin_pages.ts";
import type { Page } from "playwright-core";
import { adminTest, SOON } from "./admin_test_case.ts";

/** Starts a site whose yellow pages run a script that sends something. Those below `/closed` forbid framing. */
function startSite() {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url, headers }) => {
    const { pathname } = new URL(url);
    requests.push(`${pathname} ${headers.get("referer") ?? ""}`.trim());
    const policy = pathname === "/closed" ? { "content-security-policy": "frame-ancestors 'none'" } : {};
    return new Response(
      "<!doctype html><title>Shop</title><style>body { background: #fd0 }</style><h1>Tea shop</h1><script>fetch('/sent')</script>",
      {
        headers: { "content-type": "text/html", ...policy as Record<string, string> },
      },
    );
  });
  return {
    requests,
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const preview = (page: Page) => page.frameLocator("iframe.preview:not([data-next])");

/** Chooses the page that is shown behind the form. */
async function choose(page: Page, url: string): Promise<void> {
  const choice = page.locator("[data-behind]");
  await choice.locator("summary").waitFor(SOON);
  if (!await choice.evaluate((details: HTMLDetailsElement) => details.open)) {
    await choice.locator("summary").click();
  }
  await page.getByLabel("URL of a page").fill(url);
  await page.getByRole("button", { name: "Show page" }).click();
  await page.waitForFunction(
    (url) => document.querySelector<HTMLIFrameElement>("iframe.behind")?.src === url,
    url,
    SOON,
  );
}

/** Returns red, green and blue of the preview beside the form. */
async function colorBeside(page: Page): Promise<number[]> {
  const { x, y, width } = (await page.locator("iframe.behind").boundingBox())!;
  const picture = await page.screenshot({ clip: { x: x + width - 12, y: y + 10, width: 2, height: 2 } });
  return await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const context = new OffscreenCanvas(1, 1).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  }, [...picture]);
}

/** What the browser reports of a page that forbids framing, and of the scripts of a sandboxed one. */
const OF_THE_PAGE = /frame-ancestors|sandboxed/;

adminTest(
  "a popup opens over the page of the site, which stays to be seen in light and dark, also with a dark admin",
  "/popup",
  async ({ page, expectError }) => {
    expectError(OF_THE_PAGE);
    await using site = startSite();
    await choose(page, `${site.origin}/tea`);
    await page.frameLocator("iframe.behind").getByRole("heading", { name: "Tea shop" }).waitFor(SOON);
    const dialog = preview(page).getByRole("dialog");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const scheme of ["Light", "Dark"] as const) {
        await page.getByRole("radio", { name: scheme, exact: true }).check({ force: true });
        await preview(page).locator(`html[style*="${scheme.toLowerCase()}"]`).waitFor(SOON);
        await dialog.waitFor(SOON);
        const [red = 0, , blue = 0] = await colorBeside(page);
        assert.ok(
          red - blue > 50,
          `the page behind the popup, ${scheme} in a ${colorScheme} admin: ${red} ${blue}`,
        );
      }
    }
    assert.ok(!site.requests.includes("/sent"));
  },
);

adminTest(
  "a page of the site that is chosen before the script for it has loaded is shown once it has",
  "/form-settings?form=footer",
  async ({ page, expectError }) => {
    expectError(OF_THE_PAGE);
    await using site = startSite();
    const loading = Promise.withResolvers<void>();
    await page.route("**/preview_behind*.js", async (route) => {
      await loading.promise;
      await route.continue();
    });
    const chosen = choose(page, `${site.origin}/tea`);
    await page.getByRole("button", { name: "Show page" }).and(page.locator(":focus")).waitFor(SOON);
    loading.resolve();
    await chosen;
    await page.frameLocator("iframe.behind").getByRole("heading", { name: "Tea shop" }).waitFor(SOON);
  },
);

adminTest(
  "a page of the site is shown behind the form without its scripts, and stays away after it was removed",
  "/form-settings?form=footer",
  async ({ page, expectError }) => {
    expectError(OF_THE_PAGE);
    await using site = startSite();
    await choose(page, `${site.origin}/tea`);
    const behind = page.frameLocator("iframe.behind");
    await behind.getByRole("heading", { name: "Tea shop" }).waitFor(SOON);
    await preview(page).getByText("Stay in the loop").waitFor(SOON);
    await page.getByLabel("Heading", { exact: true }).fill("Join the Tea Club");
    await preview(page).locator("[part=heading]").getByText("Join the Tea Club").waitFor(SOON);
    assert.equal(await page.locator("iframe.behind").count(), 1);
    assert.deepEqual(await axeFindings(page), []);
    const mine = site.requests.filter((request) => !request.startsWith("/favicon"));
    assert.deepEqual(mine, ["/tea"], "no script has run, and no referrer was sent");

    await choose(page, `${site.origin}/closed`);
    await preview(page).locator("[part=heading]").getByText("Join the Tea Club").waitFor(SOON);
    await page.locator("[data-behind] summary").click();
    await page.getByRole("button", { name: "Remove page" }).click();
    await page.waitForFunction(() => !document.querySelector("iframe.behind"), undefined, SOON);
    await preview(page).locator("[part=heading]").getByText("Join the Tea Club").waitFor(SOON);
  },
);
