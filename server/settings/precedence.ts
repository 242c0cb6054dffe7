import type { Config } from "../config.ts";

/** One source of settings: any part of the tree. */
export type Layer = Record<string, unknown>;

/**
 * Lay settings over each other; later layers win. Objects are merged member by member, everything else, arrays
 * included, is replaced whole: half of one array and half of another would be nobody's wish.
 *
 * @example
 * ```ts
 * overlay({ a: { x: 1, y: [1] } }, { a: { y: [2] } }); // { a: { x: 1, y: [2] } }
 * ```
 */
export function overlay(...layers: Layer[]): Layer {
  const merged: Layer = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined) continue;
      const below = merged[key];
      merged[key] = isObject(value) ? overlay(isObject(below) ? below : {}, value) : value;
    }
  }
  return merged;
}

/** The settings that the environment fixes (decisions §1). */
export function environmentLayer(config: Config): Layer {
  return {
    general: { projectId: config.providerProject, apiKey: config.providerApiKey },
    webhooks: { secret: config.webhookSecret },
    checkout: {
      secret: config.shopSecret,
      shop: config.shop,
      shopUrl: config.shopUrl,
      apiKey: config.shopApiKey,
      apiSecret: config.shopApiSecret,
    },
  };
}

function isObject(value: unknown): value is Layer {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
