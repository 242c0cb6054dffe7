/**
 * Remembers the state of forms that open by themselves and of closed promo bars in the browser's storage.
 *
 * If storage is blocked, full or not consented to, values are kept in memory until the page is closed.
 */

import { SUBSCRIBED } from "../../../shared/popup_rules.ts";

/** In local storage: the popup's state (contract 13.3). In session storage: set once the popup was shown. */
export const POPUP_KEY = "cfbe_popup";

/** In local storage: the time at which any form that opens by itself was last closed, in Unix milliseconds. */
export const CLOSED_KEY = "cfbe_popup_closed";

export type Storage = "localStorage" | "sessionStorage";

export interface Memory {
  get(storage: Storage, key: string): string | undefined;
  set(storage: Storage, key: string, value: string): void;
  /** Starts writing values to storage, or deletes them from it. */
  consent(granted: boolean): void;
  /** Returns whether values are written to storage. */
  persists(): boolean;
  /** Sets the function to call after each change of the consent. */
  onConsent(listener: () => void): void;
}

/**
 * Creates a memory.
 *
 * @param mode `data-storage`: `auto`, `consent` (uses storage only after consent) or `none` (never uses storage)
 */
export function createMemory(mode: string): Memory {
  const values = new Map<string, [Storage, string, string]>();
  let allowed = mode === "auto";
  let afterConsent = () => {};

  const get: Memory["get"] = (storage, key) => {
    try {
      // Storage comes first: another tab may have changed it.
      if (allowed && self[storage][key]) return self[storage][key];
    } catch {
      // Storage is blocked.
    }
    return values.get(storage + key)?.[2];
  };
  const set: Memory["set"] = (storage, key, value) => {
    // Closing the popup later must not overwrite a subscription.
    if (get(storage, key) === SUBSCRIBED) value = SUBSCRIBED;
    values.set(storage + key, [storage, key, value]);
    try {
      if (allowed) self[storage][key] = value;
    } catch {
      // Storage is blocked or full.
    }
  };

  return {
    get,
    set,
    persists: () => allowed,
    onConsent: (listener) => afterConsent = listener,
    consent(granted) {
      allowed = granted && mode !== "none";
      for (const entry of values.values()) {
        if (allowed) set(...entry);
      }
      if (!allowed) deleteStored();
      afterConsent();
    },
  };
}

function deleteStored(): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (/^cfbe_p/.test(key)) delete storage[key];
    }
  } catch {
    // Storage is blocked, so there is nothing to delete.
  }
}
