import { bluefox } from "./adapters/bluefox/module.ts";
import { brevo } from "./adapters/brevo/module.ts";
import { buttondown } from "./adapters/buttondown/module.ts";
import { kit } from "./adapters/kit/module.ts";
import { klaviyo } from "./adapters/klaviyo/module.ts";
import { listmonk } from "./adapters/listmonk/module.ts";
import { mailchimp } from "./adapters/mailchimp/module.ts";
import { mailerlite } from "./adapters/mailerlite/module.ts";
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
