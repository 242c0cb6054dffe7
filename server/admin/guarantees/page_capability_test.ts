import assert from "node:assert/strict";
import { CAPABILITIES, type Capability, ROLE_CAPABILITIES, ROLES } from "../auth/capability.ts";
import { pages } from "../page_registry.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

/** Returns a harness whose filter can withhold one capability from everyone. */
async function harnessWithFilter(): Promise<AdminHarness & { withhold(capability?: Capability): void }> {
  let withheld: Capability | undefined;
  const app = await adminHarness({
    file: { filters: { cfbe_capability: (asked) => asked === withheld ? "nobody has this" : asked } },
  });
  return Object.assign(app, { withhold: (capability?: Capability) => void (withheld = capability) });
}

/** The two ways to open a page: by its URL, and as the response to a form edited on it. */
const WAYS: Record<string, (user: SignedIn, path: string) => Promise<{ status: number; html: string }>> = {
  "by its URL": (user, path) => user.page(path),
  "as the response to an action": async (user, path) => {
    const response = await user.send("cfbe_save_form", { _page: path, _check: "true", _check_only: "1" });
    return { status: response.status, html: await response.text() };
  },
};

for (const [way, open] of Object.entries(WAYS)) {
  for (const role of ROLES) {
    Deno.test(`${way}, every page refuses a user (${role}) without its capability, and no other user`, async () => {
      await using app = await harnessWithFilter();
      const user = await app.signIn(role);
      for (const page of pages) {
        for (const capability of [undefined, ...Object.keys(CAPABILITIES) as Capability[]]) {
          // Checking values requires `view` itself, whatever the page is.
          if (way !== "by its URL" && capability === "view") continue;
          app.withhold(capability);
          const { status, html } = await open(user, page.path);
          const refused = capability === page.capability ||
            !ROLE_CAPABILITIES[role].includes(page.capability);
          assert.equal(status === 403, refused, `${page.path} without ${capability}: ${status}`);
          assert.equal(html.includes("You are not allowed to see this. Ask an admin"), refused, page.path);
          if (refused) assert.doesNotMatch(html, /<nav|<form/, page.path);
        }
      }
    });
  }
}

Deno.test("no page opens without a session", async () => {
  await using app = await adminHarness();
  for (const { path } of pages) {
    const response = await app.fetch(`/admin${path}`);
    assert.equal(response.status, 401, path);
    assert.match(await response.text(), /name="password"/, path);
  }
});
