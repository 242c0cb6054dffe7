/** From the signup to a code that a WooCommerce shop accepts: the real server, configured as an operator would. */
import assert from "node:assert/strict";
import { startShop } from "../server/shops/systems/testing/shop_double.ts";
import { runProgram, waitUntil } from "./program.ts";

const SOON_MS = 15_000;
const ANN = "ann@example.com";

interface Mail {
  kind: string;
  text: string;
  links: { confirm?: string };
}

Deno.test("after signing up and confirming, a subscriber gets a code by email that the shop accepts once", async () => {
  await using shop = startShop("woocommerce");
  const folder = await Deno.makeTempDir({ prefix: "cfbe-coupon-" });
  try {
    const config = `${folder}/cfbe.config.ts`;
    const settings = { general: { modules: { coupons: true } }, coupon: { prefix: "hello", amount: 15 } };
    await Deno.writeTextFile(config, `export default ${JSON.stringify({ settings })};\n`);
    const { shopUrl, apiKey, apiSecret } = shop.settings;
    await using program = await runProgram({
      CFBE_CONFIG: config,
      CFBE_SHOP: "woocommerce",
      CFBE_SHOP_URL: `${shopUrl}`,
      CFBE_SHOP_API_KEY: `${apiKey}`,
      CFBE_SHOP_API_SECRET: `${apiSecret}`,
    });
    const inbox = async (kind: string) => {
      const { mails } = await program.json<{ mails: Mail[] }>(`/sandbox/inbox.json?email=${ANN}`);
      return mails.filter((mail) => mail.kind === kind);
    };
    await program.json("/integrations/signup", {
      method: "POST",
      body: JSON.stringify({ source: "account", email: ANN, consent: true }),
    });
    await waitUntil(
      "the confirmation email arrives",
      SOON_MS,
      async () => (await inbox("confirmation")).length === 1,
    );
    const [confirmation] = await inbox("confirmation");
    await (await fetch(confirmation!.links.confirm!)).body?.cancel();

    await waitUntil(
      "the email with the code arrives",
      SOON_MS,
      async () => (await inbox("transactional")).length === 1,
    );
    const [mail] = await inbox("transactional");
    const { code, kind, amount } = JSON.parse(mail!.text);
    assert.deepEqual([kind, amount], ["percent", 15]);
    const used = shop.redeem(code);
    assert.deepEqual([used?.kind, used?.amount], ["percent", 15]);
    assert.equal(shop.redeem(code), undefined);
    assert.equal(shop.coupons.size, 1);
    assert.match(await program.cfbe("status", ANN), new RegExp(`coupon +${code}: 15% until .*, email sent`));
    for (const secret of [`${apiKey}`, `${apiSecret}`, code, ANN]) {
      assert.ok(!program.log().includes(secret), secret);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
