import { bluefox } from "./bluefox/module.ts";
import type { ProviderModule } from "./module.ts";

/** Every provider that cfbe can use: its name in `CFBE_PROVIDER` and in `general.provider`, and all about it. */
export const PROVIDERS = { bluefox } as const satisfies Record<string, ProviderModule>;

export type ProviderKind = keyof typeof PROVIDERS;

/** The choice that makes cfbe play the provider itself. */
export const SANDBOX = "sandbox";

/** The built-in sandbox is no kind of its own: it speaks the API of this one. */
export const SANDBOX_SPEAKS = "bluefox" satisfies ProviderKind;
