/** A page of the site behind the form in the editor. */
import assert from "node:assert/strict";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";

/** Starts a site whose pages run a script that sends something. Those below `/closed` forbid framing. */
function startSite() {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url, headers }) => {
    const { pathname } = new URL(url);
    requests.push(`${pathname} ${headers.get("referer") ?? ""}`.trim());
    const policy = pathname === "/closed" ? { "content-security-policy": "frame-ancestors 'none'" } : {};
    return new Response(
      "<!doctype html><title>Shop</title><h1>Tea shop</h1><script>fetch('/sent')</script>",
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

adminTest(
  "a page of the site is shown behind the form without its scripts, and stays away after it was removed",
  "/form-settings?form=footer",
  async ({ page, errors }) => {
    await using site = startSite();
    const preview = page.frameLocator("iframe.preview:not([data-next])");
    const choose = async (path: string) => {
      const choice = page.locator("[data-behind]");
      await choice.locator("summary").waitFor(SOON);
      if (!await choice.evaluate((details: HTMLDetailsElement) => details.open)) {
        await choice.locator("summary").click();
      }
      await page.getByLabel("URL of a page").fill(site.origin + path);
      await page.getByRole("button", { name: "Show page" }).click();
      await page.waitForFunction(
        (url) => document.querySelector<HTMLIFrameElement>("iframe.behind")?.src === url,
        site.origin + path,
        SOON,
      );
    };
    await choose("/tea");
    const behind = page.frameLocator("iframe.behind");
    await behind.getByRole("heading", { name: "Tea shop" }).waitFor(SOON);
    await preview.getByText("Stay in the loop").waitFor(SOON);
    await page.getByLabel("Heading", { exact: true }).fill("Join the Tea Club");
    await preview.locator("[part=heading]").getByText("Join the Tea Club").waitFor(SOON);
    assert.equal(await page.locator("iframe.behind").count(), 1);
    assert.deepEqual(await axeFindings(page), []);
    await page.screenshot({ path: "/tmp/behind-1280.png" });
    const mine = site.requests.filter((request) => !request.startsWith("/favicon"));
    assert.deepEqual(mine, ["/tea"], "no script has run, and no referrer was sent");

    await choose("/closed");
    await preview.locator("[part=heading]").getByText("Join the Tea Club").waitFor(SOON);
    await page.locator("[data-behind] summary").click();
    await page.getByRole("button", { name: "Remove page" }).click();
    await page.waitForFunction(() => !document.querySelector("iframe.behind"), undefined, SOON);
    await preview.locator("[part=heading]").getByText("Join the Tea Club").waitFor(SOON);
    // The page that forbids framing, and the scripts of the sandboxed one.
    errors.splice(0, Infinity, ...errors.filter((text) => !/frame-ancestors|sandboxed/.test(text)));
  },
);
