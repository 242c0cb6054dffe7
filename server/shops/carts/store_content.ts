import { CartSchema } from "./cart.ts";
import type { Carts } from "./carts.ts";
import type { Config } from "../../platform/config/config.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { ownContent, ownOrigins } from "./own_content.ts";

export interface ContentDeps {
  config: Pick<Config, "baseUrl">;
  carts: Carts;
  settings: SettingsStore;
  activation: { isActive(): boolean };
}

/** The result of a sent cart; `conflict` if its session has already ordered. */
export type StoredCart = { stored: boolean } | { refused: "invalid" | "conflict"; detail?: string };

/** Validates the content of a cart and stores the part that an email may contain. Stores nothing while deactivated. */
export async function storeContent(
  { carts, settings, config, activation }: ContentDeps,
  session: string,
  body: unknown,
): Promise<StoredCart> {
  const cart = CartSchema.safeParse(body);
  if (!cart.success) {
    const [issue] = cart.error.issues;
    return { refused: "invalid", detail: `${issue!.path.join(".") || "cart"}: ${issue!.message}` };
  }
  const content = ownContent(cart.data, ownOrigins(settings.current(), config.baseUrl));
  if (!content) {
    return { refused: "invalid", detail: "url: must be on an allowed origin (general.origins)" };
  }
  if (!activation.isActive()) return { stored: false };
  return await carts.change(session, { content }) ? { stored: true } : { refused: "conflict" };
}
