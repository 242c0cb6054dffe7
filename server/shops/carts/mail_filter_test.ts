/** The filter `cfbe_mail_data` runs before the claim, so a slow filter loses no reminder. */
import assert from "node:assert/strict";
import { FILTER_LIMIT_MS, type MailContext } from "../../settings/hooks/hooks.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { CART, HOUR_MS, startCheckout, statusAndBody } from "../systems/testing/checkout.ts";

const ANN = "ann@example.com";

Deno.test("the filter gets and changes a reminder's data", async () => {
  const contexts: MailContext[] = [];
  await using checkout = await startCheckout({}, "", {}, {
    cfbe_mail_data: (data, context) => (contexts.push(context), { ...data, greeting: "Hello" }),
  });
  await checkout.abandonCart(ANN);
  await checkout.runFor(HOUR_MS);
  const [mail] = await checkout.mails(ANN);
  assert.deepEqual({ greeting: "Hello", total: 19 }, {
    greeting: (mail!.data as unknown as { greeting: string }).greeting,
    total: mail!.data.total,
  });
  assert.deepEqual(contexts, [{ kind: "cart", email: ANN, template: "abandoned-cart" }]);
});

Deno.test("if a cart changes while the filter runs, the reminder has the new content, an hour later", async () => {
  const calls: PromiseWithResolvers<void>[] = [];
  await using checkout = await startCheckout({}, "", {}, {
    async cfbe_mail_data(data) {
      const pending = Promise.withResolvers<void>();
      calls.push(pending);
      await pending.promise;
      return data;
    },
  });
  const { nonce } = await checkout.abandonCart(ANN);
  await checkout.clock.advance(HOUR_MS);
  await eventually("the filter runs", () => Promise.resolve(calls.length === 1));
  await checkout.clock.advance(10);
  await statusAndBody(checkout.cart({ ...CART, total: 7 }, nonce));
  calls[0]!.resolve();
  await checkout.runFor(0);
  assert.equal((await checkout.mails(ANN)).length, 0);

  await checkout.clock.advance(HOUR_MS);
  await eventually("the filter runs again", () => Promise.resolve(calls.length === 2));
  calls[1]!.resolve();
  await checkout.runFor(0);
  assert.deepEqual((await checkout.mails(ANN)).map(({ data }) => data.total), [7]);
});

Deno.test("a filter that hangs does not prevent the reminder", async () => {
  let calls = 0;
  await using checkout = await startCheckout({}, "", {}, {
    cfbe_mail_data: () => (calls++, new Promise<never>(() => {})),
  });
  await checkout.abandonCart(ANN);
  await checkout.clock.advance(HOUR_MS);
  await eventually("the filter runs", () => Promise.resolve(calls === 1));
  await checkout.clock.advance(FILTER_LIMIT_MS);
  await checkout.runFor(0);
  assert.equal((await checkout.mails(ANN)).length, 1);
});
