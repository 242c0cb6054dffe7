import assert from "node:assert/strict";
import type { ConfigFile } from "../../settings/hooks/config_file.ts";
import { diagnose } from "../doctor/doctor.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { offline } from "../../../dev/testing/offline.ts";

async function reported(filters: NonNullable<ConfigFile["filters"]>): Promise<string[]> {
  await using app = await harness({ file: { filters } });
  const { findings } = await diagnose(app.services, offline);
  return findings.filter(({ id }) => id === "limits.off").map(({ what }) => what.split(":")[0]!);
}

Deno.test("the doctor reports limits that a filter turns off, as the page on tests recommends", async () => {
  const random = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}::1`;
  assert.deepEqual(await reported({ cfbe_client_ip: random, cfbe_signup_site_limit: () => 0 }), [
    "The limits per IP are off",
    "The limit of signups per minute is off",
  ]);
});

Deno.test("filters that keep the limits are not reported, even if they fail", async () => {
  assert.deepEqual(
    await reported({
      cfbe_client_ip: (ip, request) => request.headers.get("fly-client-ip") ?? ip,
      cfbe_signup_site_limit: () => 300,
    }),
    [],
  );
  const fail = () => {
    throw new Error("boom");
  };
  assert.deepEqual(await reported({ cfbe_client_ip: fail, cfbe_signup_site_limit: fail }), []);
});
