import assert from "node:assert/strict";
import { keys } from "../../kv/keys.ts";
import { wrap } from "../../kv/wrap.ts";
import { harness, LIST } from "../../testing/harness.ts";
import { eraseSignup } from "./erase.ts";

const ADA = "ada@example.com";

Deno.test("a consent that is added during an erasure is erased with the record", async () => {
  await using app = await harness();
  await app.post({ email: ADA });
  let signsUpAgain = true;
  const kv = wrap(app.kv, {
    list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const rows = app.kv.list<never>(selector, options);
      const next = rows.next.bind(rows);
      rows.next = async () => {
        const result = await next();
        if (result.done && signsUpAgain) {
          signsUpAgain = false;
          assert.equal((await app.post({ email: ADA })).status, 200);
        }
        return result;
      };
      return rows;
    },
  });
  await eraseSignup({ kv, clock: app.clock, random: app.services.random }, { email: ADA, list: LIST });
  assert.equal(signsUpAgain, false);
  const left = (await Array.fromAsync(app.kv.list({ prefix: keys.all() }))).map(({ key }) => key[2]);
  assert.deepEqual(left.filter((family) => /signup|consent|by_status/.test(String(family))), []);
});
