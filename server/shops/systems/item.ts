import { z } from "zod";

// deno-lint-ignore no-control-regex -- matching them is the purpose
const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** Text in one line, without control and direction characters. */
export const plainText = (max: number) =>
  z.string().trim().max(max).refine((value) => !CONTROL.test(value), "must be plain text");
/** An amount in any currency: 1,000 euros are over a billion Iranian rials. */
export const money = z.number().min(0).max(1e12);

const decimal = new Intl.NumberFormat("en-US", {
  useGrouping: false,
  minimumFractionDigits: 2,
  maximumFractionDigits: 20,
});
/** Returns an amount as the shops' APIs take it, with all its decimals: some currencies have three. At least two. */
export const amountText = (amount: number): string => decimal.format(amount);

/** A URL that an email may link to: http or https, without a password. */
export const webAddress = z.string().max(2000).refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}, "must be an http or https URL");

export const ItemSchema = z.object({
  id: plainText(100).min(1),
  name: plainText(200).min(1),
  quantity: z.number().positive().max(1e6),
  price: money.optional(),
  url: webAddress.optional(),
  image: webAddress.optional(),
});
