/** The filter `cfbe_mail_data` stands in front of the claim: it may take its time, and costs no mail. */
import assert from "node:assert/strict";
import type { MailContext } from "../hooks/hooks.ts";
import { eventually } from "../testing/eventually.ts";
import { CART, HOUR_MS, startCheckout, told } from "../shop/testing/checkout.ts";

const ANN = "ann@example.com";

Deno.test("a cart mail's data passes the filter, which is told of the mail", async () => {
  const about: MailContext[] = [];
  await using checkout = await startCheckout({}, "", {}, {
    cfbe_mail_data: (data, context) => (about.push(context), { ...data, greeting: "Hello" }),
  });
  await checkout.leave(ANN);
  await checkout.pass(HOUR_MS);
  const [mail] = await checkout.mails(ANN);
  assert.deepEqual({ greeting: "Hello", total: 19 }, {
    greeting: (mail!.data as unknown as { greeting: string }).greeting,
    total: mail!.data.total,
  });
  assert.deepEqual(about, [{ kind: "cart", email: ANN, template: "abandoned-cart" }]);
});

Deno.test("a cart that changes while the filter thinks is mailed about as it is, an hour later", async () => {
  const held: PromiseWithResolvers<void>[] = [];
  await using checkout = await startCheckout({}, "", {}, {
    async cfbe_mail_data(data) {
      const holding = Promise.withResolvers<void>();
      held.push(holding);
      await holding.promise;
      return data;
    },
  });
  const { nonce } = await checkout.leave(ANN);
  await checkout.clock.advance(HOUR_MS);
  await eventually("the filter is asked", () => Promise.resolve(held.length === 1));
  await checkout.clock.advance(10);
  await told(checkout.cart({ ...CART, total: 7 }, nonce));
  held[0]!.resolve();
  await checkout.pass(0);
  assert.equal((await checkout.mails(ANN)).length, 0);

  await checkout.clock.advance(HOUR_MS);
  await eventually("the filter is asked again", () => Promise.resolve(held.length === 2));
  held[1]!.resolve();
  await checkout.pass(0);
  assert.deepEqual((await checkout.mails(ANN)).map(({ data }) => data.total), [7]);
});

Deno.test("a filter that hangs costs no mail", async () => {
  let asked = 0;
  await using checkout = await startCheckout({}, "", {}, {
    cfbe_mail_data: () => (asked++, new Promise<never>(() => {})),
  });
  await checkout.leave(ANN);
  await checkout.clock.advance(HOUR_MS);
  await eventually("the filter is asked", () => Promise.resolve(asked === 1));
  await checkout.pass(1_000);
  assert.equal((await checkout.mails(ANN)).length, 1);
});
