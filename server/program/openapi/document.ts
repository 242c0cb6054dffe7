import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiSchemaObject } from "zod-openapi";
import { z } from "zod";
import { NAMESPACE } from "../../../shared/contract.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { ABOUT, aboutText } from "../../platform/config/setting.ts";
import { TOKEN_ROUTES } from "../../platform/tokens/routes.ts";
import { SCOPES } from "../../platform/tokens/scopes.ts";
import { OrderSchema } from "../../shops/systems/order.ts";
import * as messages from "./messages.ts";

/** Headers of every response below the namespace (contract 1.2). */
const NO_STORE = {
  "Cache-Control": { description: "`no-store`", schema: { type: "string", const: "no-store" } },
} as const;
const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait before the next attempt.", schema: { type: "integer" } },
} as const;

/** Returns a response with its schema. */
function response(description: string, schema: z.ZodType, headers: object = {}) {
  return {
    description,
    headers: { ...NO_STORE, ...headers },
    content: { "application/json": { schema } },
  };
}

const json = (schema: z.ZodType) => ({ required: true, content: { "application/json": { schema } } });
const later = (schema: z.ZodType, what = "Too many requests.") => response(what, schema, RETRY_AFTER);

const subscribe: ZodOpenApiOperationObject = {
  operationId: "subscribe",
  summary: "Sign up an email address",
  description:
    "Public. Every success has the same response, whether the address is new, subscribed, suppressed or bounced. " +
    "A request dropped because of a filled honeypot or an invalid token gets it too.",
  requestBody: json(messages.SubscribeBody),
  responses: {
    200: response("Accepted, or dropped with the response of a success.", messages.Accepted),
    400: response("One or more fields are invalid.", messages.Invalid),
    413: response("The body exceeds 4 KB.", messages.Invalid),
    429: later(
      messages.RateLimited,
      "More than 5 per IP in 10 minutes, 30 per minute in total, or 3 per mailbox in an hour.",
    ),
    503: later(
      messages.Rejected,
      "Temporarily unavailable; or, without `Retry-After`, not configured or deactivated.",
    ),
  },
};

const formToken: ZodOpenApiOperationObject = {
  operationId: "formToken",
  summary: "Get a token that proves when the form was shown",
  responses: { 200: response("A new token. It must not be cached.", messages.Token) },
};

const variantSeen: ZodOpenApiOperationObject = {
  operationId: "variantSeen",
  summary: "Count that a session has seen a variant of an experiment",
  description:
    "Sent by the widget once per session and variant. The response is the same for variants that are not counted.",
  requestBody: {
    required: true,
    content: {
      "text/plain": { schema: { type: "string", description: "The variant's signed configuration." } },
    },
  },
  responses: {
    204: { description: "Counted, or ignored.", headers: NO_STORE },
    413: response("The body exceeds 4 KB.", messages.TooLarge),
    429: later(messages.RateLimited, "More than 60 per IP in 10 minutes."),
    503: later(messages.Rejected, "Temporarily unavailable."),
  },
};

const providerHook: ZodOpenApiOperationObject = {
  operationId: "providerHook",
  summary: "Webhook of the email provider",
  description:
    "Only queues a check: the status is then read from the provider. Either credential is valid for either payload.",
  security: [{ apiKey: [] }, { webhookSecret: [] }],
  requestBody: json(messages.ProjectWebhook.or(messages.AutomationStep)),
  responses: {
    200: response("Accepted.", messages.HookTaken),
    400: response("Not JSON, or an automation without a valid address.", messages.HookRefused),
    401: response("Neither a valid API key nor a valid webhook secret.", messages.HookRefused),
    413: response("The body exceeds 64 KB.", messages.HookRefused),
    429: later(messages.HookRefused, "More than 60 per minute from one IP."),
    503: later(messages.HookRefused, "Temporarily unavailable; retry."),
  },
};

const stored = {
  200: response("Whether the data was stored.", messages.Stored),
  403: response("The nonce is missing, invalid or older than 24 hours.", messages.Stored),
  413: response("The body is too large.", messages.Stored),
  429: later(messages.Stored),
  503: later(messages.Stored, "Temporarily unavailable."),
};
const cartsOff = response("The abandoned cart emails module is off.", messages.Nothing);

const cartEmail: ZodOpenApiOperationObject = {
  operationId: "cartEmail",
  summary: "Store the email address entered at the checkout",
  security: [{ nonce: [] }],
  requestBody: json(messages.CartEmail),
  responses: { ...stored, 404: cartsOff },
};

const cart: ZodOpenApiOperationObject = {
  operationId: "cart",
  summary: "Store the contents of the cart",
  description:
    "Sent by a page with a nonce, which requires allowed origins; or by the shop's server, signed like an order.",
  security: [{ nonce: [] }, { shopSignature: [] }],
  requestBody: json(messages.CartBody),
  responses: {
    ...stored,
    400: response(
      "The cart is invalid, its origin is not allowed, or no allowed origins are set.",
      messages.CartStored,
    ),
    401: response("The signature is invalid or expired.", messages.CartStored),
    404: cartsOff,
    409: response("The session has ended with an order.", messages.Stored),
  },
};

const checkoutSession: ZodOpenApiOperationObject = {
  operationId: "checkoutSession",
  summary: "Create a checkout session and its nonce",
  responses: { 200: response("A new session.", messages.Session), 404: cartsOff },
};

const integrationSignup: ZodOpenApiOperationObject = {
  operationId: "integrationSignup",
  summary: "Sign up an email address from your server",
  description:
    "For customer accounts and other form systems. Fields, responses and the limit per mailbox are those of `subscribe`.",
  security: [{ apiToken: [TOKEN_ROUTES.signup.scope] }],
  requestBody: json(messages.IntegrationBody),
  responses: {
    200: response("Accepted.", messages.Accepted),
    400: response("One or more fields are invalid.", messages.Invalid),
    401: response("The API token is missing, wrong, expired or revoked.", messages.Unauthorized),
    403: response("The API token lacks the scope `signup`; `error` says so.", messages.Unauthorized),
    413: response("The body exceeds 4 KB.", messages.Invalid),
    429: later(
      messages.RateLimited,
      "More than 3 per mailbox in an hour, or 300 per minute from one server.",
    ),
    503: later(
      messages.Rejected,
      "Temporarily unavailable; or, without `Retry-After`, not configured or deactivated. Retry.",
    ),
  },
};

const order: ZodOpenApiOperationObject = {
  operationId: "order",
  summary: "Send an order from any shop that can sign requests",
  security: [{ shopSignature: [] }],
  parameters: [{
    in: "header",
    name: "X-CFBE-Timestamp",
    required: true,
    description: "Unix seconds, within five minutes of the service's clock.",
    schema: { type: "integer" },
  }],
  requestBody: json(OrderSchema),
  responses: {
    200: response(
      "`action` says whether the order was accepted, updated an earlier one or was ignored.",
      messages.OrderTaken,
    ),
    400: response("Not a valid order; `error` says why.", messages.OrderRefused),
    401: response("The signature is missing, invalid or expired.", messages.OrderRefused),
    413: response("The body exceeds 64 KB.", messages.OrderRefused),
    429: later(messages.OrderRefused, "More than 300 per minute from one server."),
    503: later(messages.OrderRefused, "Temporarily unavailable; retry."),
  },
};

/** Returns the JSON schema of the settings in a config file, with what their declarations say. */
function settingsObject(settings: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(settings, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const about = ABOUT.get(zodSchema);
      if (!about) return;
      jsonSchema.description = aboutText({ about });
      if (about.secret) jsonSchema.writeOnly = true;
    },
  });
  return { ...schema, description: "The `settings` of a config file." } as ZodOpenApiSchemaObject;
}

/**
 * Returns the HTTP API as an OpenAPI 3.1 document.
 *
 * @param baseUrl public URL of the service
 */
export function openApiDocument(baseUrl: string, settings: z.ZodType = SettingsSchema) {
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "cfbe",
      version: "1",
      summary: "Newsletter signup for any website.",
      description: "Any other path gets 404 and any other method 405, as JSON that must not be cached.",
    },
    servers: [{ url: baseUrl }],
    security: [],
    paths: {
      [`${NAMESPACE}/subscribe`]: { post: subscribe },
      [`${NAMESPACE}/form-token`]: { get: formToken },
      [`${NAMESPACE}/variant-seen`]: { post: variantSeen },
      [`${NAMESPACE}/provider-hook`]: { post: providerHook },
      [`${NAMESPACE}/cart-email`]: { post: cartEmail },
      "/checkout-session": { get: checkoutSession },
      "/cart": { post: cart },
      [TOKEN_ROUTES.signup.path]: { post: integrationSignup },
      "/shop-hook/generic": { post: order },
    },
    components: {
      schemas: { Settings: settingsObject(settings) },
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "The provider's API key." },
        webhookSecret: { type: "apiKey", in: "header", name: "X-CFBE-Secret" },
        apiToken: {
          type: "http",
          scheme: "bearer",
          description:
            `A token of the admin's API tokens page with the scope, or \`CFBE_API_TOKEN\`, which has all:\n${
              Object.entries(SCOPES).map(([scope, about]) => `- \`${scope}\`: ${about}`).join("\n")
            }`,
        },
        shopSignature: {
          type: "apiKey",
          in: "header",
          name: "X-CFBE-Signature",
          description: "`sha256=` followed by the hex HMAC-SHA256 of timestamp, dot and raw body.",
        },
        nonce: { type: "apiKey", in: "header", name: "X-WP-Nonce", description: "From `checkout-session`." },
      },
    },
  });
}
