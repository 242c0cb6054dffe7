/**
 * What a browser remembers of the popup, and of strips that were closed.
 *
 * Storage that throws, is full, or that nobody has consented to is made up for by the page's own memory: then it
 * is remembered until the page goes.
 */

import { SUBSCRIBED } from "../../../shared/popup_rules.ts";

/** The popup's key, in local storage as contract 13.3 names it, and in session storage: shown already. */
export const POPUP = "cfbe_popup";

export type Storage = "localStorage" | "sessionStorage";

export interface Memory {
  get(storage: Storage, key: string): string | undefined;
  set(storage: Storage, key: string, value: string): void;
  /** Begins to write down what was remembered, or takes it out again. */
  consent(granted: boolean): void;
}

/** @param mode `data-storage`: `auto`, `consent` (nothing is read or written without it), `none` (never) */
export function createMemory(mode: string): Memory {
  const held = new Map<string, [Storage, string, string]>();
  let allowed = mode === "auto";

  const get: Memory["get"] = (storage, key) => {
    try {
      // Written down may be what another tab has learned meanwhile.
      if (allowed && self[storage][key]) return self[storage][key];
    } catch {
      // Blocked.
    }
    return held.get(storage + key)?.[2];
  };
  const set: Memory["set"] = (storage, key, value) => {
    // Who has subscribed stays so, whatever is closed later.
    if (get(storage, key) === SUBSCRIBED) value = SUBSCRIBED;
    held.set(storage + key, [storage, key, value]);
    try {
      if (allowed) self[storage][key] = value;
    } catch {
      // Blocked, or full.
    }
  };

  return {
    get,
    set,
    consent(granted) {
      allowed = granted && mode !== "none";
      for (const entry of held.values()) {
        if (allowed) set(...entry);
      }
      if (allowed) return;
      try {
        for (const storage of [localStorage, sessionStorage]) {
          for (const key of Object.keys(storage)) if (/^cfbe_p/.test(key)) storage.removeItem(key);
        }
      } catch {
        // Blocked: then there is nothing of ours.
      }
    },
  };
}
