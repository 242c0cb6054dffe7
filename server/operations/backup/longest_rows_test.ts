import assert from "node:assert/strict";
import { kvFactories } from "../../../dev/testing/kv_factories.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { newHeader, writeBackup } from "./file.ts";
import { readBytes, restoreInto } from "./testing/backups.ts";
import { longestRows } from "./testing/longest_rows.ts";

for (const factory of kvFactories()) {
  Deno.test(`${factory.name}: a backup whose rows have the longest values that the limits allow is restored, and its rows can be replaced`, async () => {
    await using app = await harness();
    await using target = await factory.open();
    const keyring = app.services.keyring;
    const bytes = await readBytes(writeBackup(newHeader(keyring, 1), longestRows(120, 40)));
    for (const replace of [false, true]) {
      const { rows } = await restoreInto(app, target.kv, bytes, { replace });
      assert.equal(rows, 120 * 2 + 40 * 4);
    }
  });
}
