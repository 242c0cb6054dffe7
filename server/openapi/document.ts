import { createDocument, type ZodOpenApiOperationObject } from "zod-openapi";
import type { z } from "zod";
import { NAMESPACE } from "../../shared/contract.ts";
import { OrderSchema } from "../shop/order.ts";
import * as messages from "./messages.ts";

/** What every answer under the namespace carries (contract 1.2). */
const NO_STORE = {
  "Cache-Control": { description: "`no-store`", schema: { type: "string", const: "no-store" } },
} as const;
const RETRY_AFTER = {
  "Retry-After": { description: "Seconds until another try makes sense.", schema: { type: "integer" } },
} as const;

/** A response by its schema. */
function answer(description: string, schema: z.ZodType, headers: object = {}) {
  return {
    description,
    headers: { ...NO_STORE, ...headers },
    content: { "application/json": { schema } },
  };
}

const json = (schema: z.ZodType) => ({ required: true, content: { "application/json": { schema } } });
const later = (schema: z.ZodType, what = "Too many requests.") => answer(what, schema, RETRY_AFTER);

const subscribe: ZodOpenApiOperationObject = {
  operationId: "subscribe",
  summary: "Sign an address up",
  description:
    "Public. Neutral: every success reads alike, whether the address is new, subscribed, suppressed or bounced; " +
    "so does what is dropped for a filled honeypot or a bad token.",
  requestBody: json(messages.SubscribeBody),
  responses: {
    200: answer("Accepted, or made to look so.", messages.Accepted),
    400: answer("Something was filled in wrongly.", messages.Invalid),
    413: answer("The body is larger than 4 KB.", messages.Invalid),
    429: later(messages.RateLimited, "5 an IP in 10 minutes, 30 a minute in all, 3 a mailbox in an hour."),
    503: answer("Not configured, switched off, or out of order.", messages.Rejected),
  },
};

const formToken: ZodOpenApiOperationObject = {
  operationId: "formToken",
  summary: "A token that proves when the form was shown",
  responses: { 200: answer("A fresh token. No cache may keep it.", messages.Token) },
};

const providerHook: ZodOpenApiOperationObject = {
  operationId: "providerHook",
  summary: "Webhooks of the e-mail provider",
  description:
    "Only queues work: what happened is read again from the provider. Either credential opens either payload.",
  security: [{ apiKey: [] }, { webhookSecret: [] }],
  requestBody: json(messages.ProjectWebhook.or(messages.AutomationStep)),
  responses: {
    200: answer("Taken.", messages.HookTaken),
    400: answer("Not JSON, or an automation without a valid address.", messages.HookRefused),
    401: answer("Neither the API key nor the webhook secret.", messages.HookRefused),
    413: answer("The body is larger than 64 KB.", messages.HookRefused),
    429: later(messages.HookRefused, "More than 60 a minute from one IP."),
    503: answer("Out of order; send it again.", messages.HookRefused),
  },
};

const stored = {
  200: answer("Whether it was stored.", messages.Stored),
  403: answer("The nonce is missing, wrong or older than 24 hours.", messages.Stored),
  413: answer("The body is too large.", messages.Stored),
  429: later(messages.Stored),
  503: answer("Out of order.", messages.Stored),
};
const cartsOff = answer("The Abandoned cart emails module is off.", messages.Nothing);

const cartEmail: ZodOpenApiOperationObject = {
  operationId: "cartEmail",
  summary: "The address typed at the checkout",
  security: [{ nonce: [] }],
  requestBody: json(messages.CartEmail),
  responses: { ...stored, 404: cartsOff },
};

const cart: ZodOpenApiOperationObject = {
  operationId: "cart",
  summary: "What lies in the cart",
  description:
    "From a page with a nonce, while allowed origins are set; or signed by the shop's server, like an order.",
  security: [{ nonce: [] }, { shopSignature: [] }],
  requestBody: json(messages.CartBody),
  responses: {
    ...stored,
    400: answer("Not a cart, one of a foreign origin, or no allowed origins are set.", messages.CartStored),
    401: answer("The signature is wrong or old.", messages.CartStored),
    404: cartsOff,
    409: answer("The session has ordered, and is over.", messages.Stored),
  },
};

const checkoutSession: ZodOpenApiOperationObject = {
  operationId: "checkoutSession",
  summary: "A session for a checkout, and the nonce that proves it",
  responses: { 200: answer("Made anew.", messages.Session), 404: cartsOff },
};

const integrationSignup: ZodOpenApiOperationObject = {
  operationId: "integrationSignup",
  summary: "A signup that a server of yours hands in",
  description:
    "From accounts and other form systems. The same fields, answers and mailbox limit as everywhere.",
  security: [{ apiToken: [] }],
  requestBody: json(messages.IntegrationBody),
  responses: {
    200: answer("Accepted.", messages.Accepted),
    400: answer("Something was filled in wrongly.", messages.Invalid),
    401: answer("The API token is missing or wrong.", messages.Unauthorized),
    413: answer("The body is larger than 4 KB.", messages.Invalid),
    429: later(messages.RateLimited, "3 a mailbox in an hour, 300 a minute from one server."),
    503: answer("Not configured, switched off, or out of order; send it again.", messages.Rejected),
  },
};

const order: ZodOpenApiOperationObject = {
  operationId: "order",
  summary: "An order, from any shop that can sign",
  security: [{ shopSignature: [] }],
  parameters: [{
    in: "header",
    name: "X-CFBE-Timestamp",
    required: true,
    description: "Unix seconds; within five minutes of the service's clock.",
    schema: { type: "integer" },
  }],
  requestBody: json(OrderSchema),
  responses: {
    200: answer("Taken over, or known already, or none.", messages.OrderTaken),
    400: answer("Not an order; `error` says why.", messages.OrderRefused),
    401: answer("The signature is missing, wrong or old.", messages.OrderRefused),
    413: answer("The body is larger than 64 KB.", messages.OrderRefused),
    429: later(messages.OrderRefused, "More than 300 a minute from one server."),
    503: answer("Out of order; send it again.", messages.OrderRefused),
  },
};

/**
 * What the service answers, as OpenAPI 3.1.
 *
 * @param baseUrl the public address
 */
export function openApiDocument(baseUrl: string) {
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "cfbe",
      version: "1",
      summary: "Newsletter signup for any page.",
      description: "Any other address or method is answered 404 or 405, as JSON, never stored by caches.",
    },
    servers: [{ url: baseUrl }],
    security: [],
    paths: {
      [`${NAMESPACE}/subscribe`]: { post: subscribe },
      [`${NAMESPACE}/form-token`]: { get: formToken },
      [`${NAMESPACE}/provider-hook`]: { post: providerHook },
      [`${NAMESPACE}/cart-email`]: { post: cartEmail },
      "/checkout-session": { get: checkoutSession },
      "/cart": { post: cart },
      "/integrations/signup": { post: integrationSignup },
      "/shop-hook/generic": { post: order },
    },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "The provider's API key." },
        webhookSecret: { type: "apiKey", in: "header", name: "X-CFBE-Secret" },
        apiToken: { type: "http", scheme: "bearer", description: "`CFBE_API_TOKEN`." },
        shopSignature: {
          type: "apiKey",
          in: "header",
          name: "X-CFBE-Signature",
          description: "`sha256=` and the HMAC-SHA256, in hex, of time-stamp, dot and raw body.",
        },
        nonce: { type: "apiKey", in: "header", name: "X-WP-Nonce", description: "From `checkout-session`." },
      },
    },
  });
}
