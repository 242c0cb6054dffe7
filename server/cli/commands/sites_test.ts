import assert from "node:assert/strict";
import type { ListedSite } from "../../platform/tokens/sites/store.ts";
import { cfbe, runningService } from "../testing/cli.ts";

Deno.test("the command line adds a site and prints the lines for its wp-config.php alone, lists it without them, and revokes it by any spelling of its URL", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  assert.equal((await cfbe({ env }, "sites", "list")).out, "No connected sites yet.");
  const added = await cfbe({ env }, "sites", "add", "https://Shop.example/", "--name", "A shop");
  assert.equal(added.code, 0, added.err);
  assert.match(
    added.out,
    /^define\( 'CFBE_SITE_KEY', 'cfbe_site_[0-9a-f]{10}_[\w-]{43}' \);\ndefine\( 'CFBE_API_TOKEN', 'cfbe_[0-9a-f]{10}_[\w-]{43}' \);$/,
  );
  assert.match(added.err, /^https:\/\/shop\.example added\. Copy its key and token now/);
  const list = await cfbe({ env }, "sites", "list");
  assert.match(list.out, /^site +id +scopes +connected +by +last used\n/);
  assert.match(list.out, /https:\/\/shop\.example +[0-9a-f]{10} +read signup +\d{4}-.* command line +never/);
  const [site] = JSON.parse((await cfbe({ env }, "sites", "list", "--json")).out) as [ListedSite];
  assert.deepEqual([site.name, site.modules, site.scopes], ["A shop", [], ["read", "signup"]]);
  for (const secret of added.out.match(/[\w-]{43}(?=')/g)!) {
    assert.ok(!list.out.includes(secret) && !JSON.stringify(site).includes(secret));
  }
  assert.equal((await cfbe({ env }, "sites", "revoke", "https://shop.example")).code, 2, "it asks first");
  const revoked = await cfbe({ env }, "sites", "revoke", "https://Shop.example:443/", "--yes");
  assert.match(revoked.out, /^https:\/\/shop\.example revoked: its key and its API token/);
  assert.equal((await cfbe({ env }, "sites", "revoke", site.id, "--yes")).code, 3);
});

Deno.test("a site with another URL, or a scope that does not exist, is not added", async () => {
  await using program = await runningService({ run: false });
  const env = program.shell;
  const cases: [string[], number, RegExp][] = [
    [["http://shop.example"], 1, /url: Enter an https URL/],
    [["shop.example"], 1, /url: Enter an https URL/],
    [["https://ann:secret@shop.example"], 1, /url: Enter an https URL/],
    [["https://shop.example", "--scope", "all"], 2, /Must be one of read, signup/],
    [[], 2, /missing required argument/],
  ];
  for (const [args, code, message] of cases) {
    const { code: actual, err } = await cfbe({ env }, "sites", "add", ...args);
    assert.equal(actual, code, args.join(" "));
    assert.match(err, message);
  }
  assert.equal((await cfbe({ env }, "sites", "list")).out, "No connected sites yet.");
});
