/** Subscribers and data requests in a real browser, by keyboard. */
import assert from "node:assert/strict";
import { visitAdmin } from "./admin_pages.ts";

Deno.test({
  name: "by keyboard only, an admin finds, exports and erases a person on accessible pages",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using visit = await visitAdmin();
    const { page, program } = visit;
    const signUp = (email: string) =>
      program.json("/integrations/signup", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: "account", email, consent: true }),
      });
    for (const name of ["ada", "adam", "bob", "unsubscribed+1"]) await signUp(`${name}@example.com`);

    const findings: string[] = [];
    const requested: string[] = [];
    page.on("request", (request) => {
      const { protocol, pathname, search } = new URL(request.url());
      const { referer = "" } = request.headers();
      if (protocol === "http:") requested.push(pathname + search, referer);
    });
    const check = async (name: string) => void findings.push(...await visit.check(name));

    await visit.signIn();
    await visit.open("/subscribers");
    assert.equal(await page.getByRole("link", { name: "@example.com" }).count(), 4);
    await check("subscribers");

    const search = page.getByRole("searchbox", { name: "Address" });
    await search.fill("ada@example.co");
    await search.press("Enter");
    await page.getByText("Nobody fits").waitFor();
    await page.reload();
    await page.getByText("Nobody fits").waitFor();
    assert.equal(await search.inputValue(), "ada@example.co");
    await check("subscribers-none");
    await page.getByRole("link", { name: "Look for addresses that begin with" }).press("Enter");
    await page.getByRole("link", { name: "ada@example.com" }).press("Enter");
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor();
    await check("subscriber");
    await page.goBack({ waitUntil: "commit" });
    await page.getByRole("heading", { name: "Found" }).waitFor();
    await page.goForward({ waitUntil: "commit" });
    await page.getByRole("button", { name: "Check now" }).press("Enter");
    await page.getByText("The provider is being asked").waitFor();

    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByText("Proof of consent").isVisible(), true);
    assert.equal(await page.getByRole("button", { name: "Check now" }).isVisible(), false);
    await page.emulateMedia({ media: "screen" });

    await visit.open("/requests");
    await check("requests");
    await page.getByLabel("Address", { exact: true }).first().fill("ada@example.com");
    await page.getByRole("button", { name: "Export" }).press("Enter");
    await page.getByText("Held about ada@example.com").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).press("Enter");
    const file = await (await download).createReadStream();
    const document = JSON.parse(await new Response(ReadableStream.from(file) as ReadableStream).text());
    assert.equal(document.held.signups[0].record.email, "ada@example.com");
    await check("requests-export");

    await page.getByLabel("Address", { exact: true }).last().fill("ada@example.com");
    await page.getByLabel("The address once more").fill("adam@example.com");
    await page.getByRole("button", { name: "Erase" }).press("Enter");
    await page.getByText("Must be the same address").waitFor();
    assert.equal((await program.status("ada@example.com")).length, 1);
    await page.getByLabel("The address once more").fill("ada@example.com");
    await page.getByRole("switch", { name: "Erase at the provider too" }).press("Space");
    await page.getByRole("button", { name: "Erase" }).press("Enter");
    await page.getByText("ada@example.com is erased here").waitFor();
    await check("requests-erased");
    assert.deepEqual(await program.status("ada@example.com"), []);
    assert.equal((await program.status("adam@example.com")).length, 1);

    await visit.open("/audit");
    const filter = page.getByLabel("Find an address");
    await filter.fill("ada@example.com");
    await filter.press("Enter");
    await page.getByText("this address").first().waitFor();
    assert.equal(await filter.inputValue(), "ada@example.com");
    await page.getByText("Erase a person", { exact: true }).waitFor();
    await check("audit");
    assert.deepEqual(requested.filter((url) => /@|%40|[?&](q|place|email|whose)=/.test(url)), []);
    assert.deepEqual(findings, []);
    assert.deepEqual(visit.errors, []);
  },
});
