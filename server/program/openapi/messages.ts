import { z } from "zod";
import type {
  CheckoutSession,
  FormToken,
  HookResponse,
  StoredResponse,
  SubscribeRequest,
  SubscribeResponse,
} from "../../../shared/contract.ts";
import { UTM_NAMES } from "../../../shared/signup_page.ts";
import { FIELD_NAMES, FORM_SOURCES } from "../../../shared/contract.ts";
import { CartSchema } from "../../shops/carts/cart.ts";
import { SessionId } from "../../shops/systems/order.ts";

/**
 * Schemas of the requests and responses in docs/contract, for the OpenAPI document and its tests. The routes
 * do not use them: they validate requests field by field, to report every invalid field at once.
 */

export const SubscribeBody = z.object({
  source: z.enum(FORM_SOURCES),
  email: z.string().meta({ description: "At most 254 characters.", examples: ["ann@example.com"] }),
  name: z.string().max(100).optional().meta({ description: "Used if forms ask for a name." }),
  interests: z.array(z.string()).optional().meta({
    description: "Tags of the interests in the settings. Others are ignored.",
  }),
  consent: z.boolean().optional().meta({ description: "`true` if the consent checkbox was ticked." }),
  fields: z.record(z.string(), z.unknown()).optional().meta({
    description:
      "Values of the form's other fields, by name: a string, a number, a boolean or an array of strings. Members that the form has no field for are ignored.",
    examples: [{ company: "ACME", topics: ["tea"], sms: true }],
  }),
  cfbe_cfg: z.string().optional().meta({
    description: "Signed form configuration. An invalid one is ignored.",
  }),
  form: z.string().nullable().optional().meta({
    description:
      "Name of the form that was shown, `null` for the default form. Its fields, texts and consent text apply. By default, the form in `cfbe_cfg`.",
  }),
  page: z.object({
    path: z.string(),
    referrer: z.string().optional(),
    utm: z.partialRecord(z.enum(UTM_NAMES), z.string()).optional(),
  }).optional().meta({
    description:
      "The page that showed the form: its path, the origin of the page that linked to it, and its UTM parameters. Stored if the form's setting `attribution` is on. A bad one is ignored.",
  }),
  cfbe_hp: z.string().optional().meta({ description: "Honeypot. Must be empty." }),
  cfbe_token: z.string().optional().meta({
    description:
      "A token from `form-token`, 3 seconds to 2 hours old. Without one, the request is dropped but gets the response of a success.",
  }),
}).meta({ id: "SubscribeRequest" }) satisfies z.ZodType<Loose<SubscribeRequest>>;

const outcome = { success: z.literal(true), message: z.string() };
const refusal = { success: z.literal(false), message: z.string() };

export const Accepted = z.strictObject({ ...outcome, code: z.enum(["pending", "already_active"]) }).meta({
  id: "Accepted",
  description: "`pending` for every success. `already_active` only if the settings allow it.",
}) satisfies z.ZodType<SubscribeResponse>;

export const Invalid = z.strictObject({
  ...refusal,
  code: z.literal("invalid"),
  fields: z.record(z.string(), z.string()).meta({
    description: `A message for each invalid field: ${
      FIELD_NAMES.map((name) => `\`${name}\``).join(", ")
    }, or the name of one of the form's other fields.`,
  }),
}).meta({ id: "Invalid" }) satisfies z.ZodType<SubscribeResponse>;

export const RateLimited = z.strictObject({ ...refusal, code: z.literal("rate_limited") })
  .meta({ id: "RateLimited" }) satisfies z.ZodType<SubscribeResponse>;

export const TooLarge = z.strictObject({ ...refusal, code: z.literal("too_large") }).meta({ id: "TooLarge" });

export const Rejected = z.strictObject({ ...refusal, code: z.literal("rejected") })
  .meta({ id: "Rejected" }) satisfies z.ZodType<SubscribeResponse>;

export const Token = z.strictObject({
  token: z.string().regex(/^\d+\.[\w-]{43}$/).meta({ description: "`<time>.<signature>`" }),
  challenge: z.strictObject({
    algorithm: z.literal("SHA-256"),
    challenge: z.string().regex(/^[0-9a-f]{64}$/),
    maxnumber: z.int(),
    salt: z.string(),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }).optional().meta({
    description:
      "Only in attack mode, in the ALTCHA format (version 1): append a dot and the solution's payload to the token.",
  }),
}).meta({ id: "FormToken" }) satisfies z.ZodType<FormToken>;

export const ProjectWebhook = z.looseObject({
  type: z.string().meta({ examples: ["subscribe"] }),
  subscription: z.looseObject({
    email: z.string(),
    status: z.string().meta({ examples: ["active"] }),
    subscriberList: z.looseObject({ _id: z.string() }),
  }).optional(),
}).meta({ id: "ProjectWebhook" });

export const AutomationStep = z.looseObject({
  automationId: z.string(),
  contactId: z.string().optional(),
  contact: z.looseObject({ email: z.string() }),
}).meta({ id: "AutomationStep" });

export const HookTaken = z.strictObject({
  ok: z.literal(true),
  action: z.enum(["queued", "ignored", "received"]),
}).meta({ id: "HookTaken" }) satisfies z.ZodType<HookResponse>;

export const HookRefused = z.strictObject({ ok: z.literal(false) })
  .meta({ id: "HookRefused" }) satisfies z.ZodType<HookResponse>;

export const CartEmail = z.object({ email: z.string() }).meta({ id: "CartEmail" });
/** `session` is sent only by a shop's server, instead of the nonce. */
export const CartBody = CartSchema.extend({ session: SessionId.optional() }).meta({ id: "Cart" });

export const Stored = z.strictObject({ stored: z.boolean() })
  .meta({ id: "Stored" }) satisfies z.ZodType<StoredResponse>;

/** `error` says what is wrong with the cart, for the developer. */
export const CartStored = z.strictObject({ stored: z.boolean(), error: z.string().optional() })
  .meta({ id: "CartStored" });

export const Session = z.strictObject({ session: z.string(), nonce: z.string() })
  .meta({ id: "CheckoutSession" }) satisfies z.ZodType<CheckoutSession>;

export const IntegrationBody = SubscribeBody.pick({
  email: true,
  name: true,
  interests: true,
  consent: true,
  fields: true,
})
  .extend({
    source: z.enum(["account", "integration"]),
    form: z.string().nullable().optional().meta({
      description:
        "Name of a form. Its fields, texts, consent text, list and tags apply. Without it, those of the default form. An unknown name is refused.",
    }),
    list: z.string().optional().meta({
      description: "ID of a known list. Otherwise the list of the form or the default list is used.",
    }),
    consentText: z.string().optional().meta({
      description:
        "The consent text that the visitor saw, if it is not that of the form. One line, at most 2,000 characters.",
    }),
    locale: z.string().optional().meta({ description: "The visitor's language, such as `de`." }),
    ip: z.string().optional().meta({ description: "The visitor's IP, for the record of consent." }),
    origin: z.string().optional().meta({ description: "Origin of the page, for the record of consent." }),
  }).meta({ id: "IntegrationSignup" });

export const Unauthorized = z.strictObject({ error: z.string() }).meta({ id: "Unauthorized" });

export const OrderTaken = z.strictObject({
  ok: z.literal(true),
  action: z.enum(["accepted", "updated", "ignored"]),
})
  .meta({ id: "OrderTaken" });

export const OrderRefused = z.strictObject({ ok: z.literal(false), error: z.string().optional() })
  .meta({ id: "OrderRefused" });

export const Nothing = z.strictObject({
  success: z.literal(false),
  code: z.enum(["not_found", "method_not_allowed"]),
  message: z.string(),
}).meta({ id: "Nothing" });

/** zod types a member as `undefined` where an interface has an optional one. */
type Loose<T> = { [K in keyof T]: T[K] | (undefined extends T[K] ? undefined : never) };
