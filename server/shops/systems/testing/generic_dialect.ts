import { parseJson } from "../../../platform/http/request_body.ts";
import { CouponRequestSchema } from "../generic/coupon_request.ts";
import { isSigned, SIGNATURE_HEADER, signOrder, TIME_HEADER } from "../generic/signature.ts";
import { type Dialect, HOOK_SECRET } from "./shop_double.ts";

/** A shop that follows docs/shop-hook.md. */
export const genericDialect: Dialect = {
  settings: (url) => ({ shopUrl: `${url}/newsletter-coupons` }),

  async readRequest(request, now) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (!isSigned(request.headers, bytes, { secret: HOOK_SECRET, now: now() })) {
      return Response.json({ ok: false }, { status: 401 });
    }
    const parsed = CouponRequestSchema.safeParse(parseJson(bytes));
    if (!parsed.success || new URL(request.url).pathname !== "/newsletter-coupons") {
      return Response.json({ ok: false, error: "not a coupon request" }, { status: 400 });
    }
    const { code, kind, amount, expiresAt } = parsed.data;
    return { coupon: { code, kind, amount, expiresAt: Date.parse(expiresAt) } };
  },
  created: ({ code }) => Response.json({ ok: true, code }),
  exists: ({ code }) => Response.json({ ok: true, code }),
  rateLimited: () => Response.json({ ok: false }, { status: 429, headers: { "retry-after": "60" } }),

  body(order, changes = {}) {
    const { id, status, email, total, currency, orderedAt, changedAt, optIn, session, ip } = order;
    return JSON.stringify({
      id: String(id),
      status,
      email,
      name: `${order.firstName} ${order.lastName}`,
      total: Number(total),
      currency,
      orderedAt,
      changedAt,
      optIn,
      session,
      ip,
      items: [{ id: "93", name: "A mug", quantity: 2, price: 9.5 }],
      ...changes,
    });
  },
  sign(body, { secret, now }) {
    const time = String(Math.floor(now / 1000));
    return {
      "content-type": "application/json",
      [TIME_HEADER]: time,
      [SIGNATURE_HEADER]: signOrder(secret, time, new TextEncoder().encode(body)),
    };
  },
};
