import { bluefox } from "./bluefox/module.ts";
import { brevo } from "./brevo/module.ts";
import { buttondown } from "./buttondown/module.ts";
import { kit } from "./kit/module.ts";
import { klaviyo } from "./klaviyo/module.ts";
import { listmonk } from "./listmonk/module.ts";
import { mailchimp } from "./mailchimp/module.ts";
import { mailerlite } from "./mailerlite/module.ts";
import type { ProviderModule } from "./module.ts";

/** Every provider that cfbe can use, by its name in `CFBE_PROVIDER` and `general.provider`. */
export const PROVIDERS = {
  bluefox,
  brevo,
  buttondown,
  kit,
  klaviyo,
  listmonk,
  mailchimp,
  mailerlite,
} as const satisfies Record<
  string,
  ProviderModule
>;

export type ProviderKind = keyof typeof PROVIDERS;

/** The choice that uses the built-in sandbox provider. */
export const SANDBOX = "sandbox";

/** The provider whose API the sandbox implements; the sandbox has no adapter of its own. */
export const SANDBOX_API = "bluefox" satisfies ProviderKind;
