import assert from "node:assert/strict";
import { h } from "preact";
import { definePage } from "./page.ts";
import type { AdminServices } from "./services.ts";
import type { View } from "./view.ts";

Deno.test("a page gets the services that it names and the shared ones, and no other one", async () => {
  const app = { config: 1, settings: 2, kv: 3, keyring: 4, admin: 5 } as unknown as AdminServices;
  let given: object = {};
  const page = definePage({
    path: "/example",
    title: "Example",
    capability: "view",
    services: ["kv"],
    render(view) {
      given = view.app;
      // @ts-expect-error The page does not name it.
      view.app.keyring;
      return h("p", {});
    },
  });
  await page.render({ app } as View<keyof AdminServices>);
  assert.deepEqual(given, { config: 1, settings: 2, kv: 3 });
});
