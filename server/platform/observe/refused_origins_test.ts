import assert from "node:assert/strict";
import { NAMESPACE } from "../../../shared/contract.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { offline } from "../../../dev/testing/offline.ts";
import { diagnose } from "../../operations/doctor/doctor.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const WARNING =
  "A page on https://other.example asked for a form, but is not in your list of allowed origins.";

async function world() {
  const app = await adminHarness();
  await app.services.settings.save("general", { origins: ["https://shop.example"] });
  return app;
}
type World = Awaited<ReturnType<typeof world>>;

const named = async ({ services }: World) =>
  (await services.refusedOrigins.recent()).map(({ origin }) => origin);

for (
  const [method, path] of [
    ["GET", "/cfbe.json"],
    ["GET", `${NAMESPACE}/form-token`],
    ["OPTIONS", `${NAMESPACE}/subscribe`],
  ] as const
) {
  Deno.test(`a page on another site that requests ${method} ${path} is noted, an allowed one is not`, async () => {
    await using app = await world();
    for (const origin of ["https://shop.example", "https://other.example", "https://other.example"]) {
      await (await app.fetch(path, { method, headers: { origin } })).body?.cancel();
    }
    assert.deepEqual(await app.services.refusedOrigins.recent(), [
      { origin: "https://other.example", at: app.clock.now(), count: 2 },
    ]);
  });
}

Deno.test("the Overview and the doctor name a site that is not allowed, until it is allowed", async () => {
  await using app = await world();
  const admin = await app.signIn();
  const finding = async () =>
    (await diagnose(app.services, offline)).findings.find(({ id }) => id === "origins.refused");
  assert.equal(await finding(), undefined);
  app.services.refusedOrigins.note(new Headers({ origin: "https://other.example" }));
  await app.services.refusedOrigins.flush();
  assert.ok((await admin.page("/overview")).html.includes(WARNING));
  assert.deepEqual([(await finding())?.level, (await finding())?.what], ["warning", WARNING]);

  await app.services.settings.save("general", { origins: ["https://shop.example", "https://other.example"] });
  assert.ok(!(await admin.page("/overview")).html.includes("asked for a form"));
  assert.equal(await finding(), undefined);
});

Deno.test("refused origins are forgotten after seven days, and only the latest 20 web origins are kept", async () => {
  await using app = await world();
  const { refusedOrigins } = app.services;
  for (
    const origin of [
      "null",
      "",
      "x",
      "https://a.example/path",
      "https://A.example",
      "file://",
      "ftp://a.example",
    ]
  ) {
    refusedOrigins.note(new Headers({ origin }));
  }
  assert.deepEqual(await named(app), []);
  for (let i = 0; i < 25; i++) {
    refusedOrigins.note(new Headers({ origin: `https://site${i}.example` }));
    await app.clock.advance(1);
    if (i === 12) await refusedOrigins.flush();
  }
  await refusedOrigins.flush();
  const kept = await named(app);
  assert.deepEqual([kept.length, kept.includes("https://site4.example")], [20, false]);
  await app.clock.advance(8 * DAY_MS);
  assert.deepEqual(await named(app), []);
});
