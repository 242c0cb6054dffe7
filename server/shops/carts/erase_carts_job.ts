import { z } from "zod";
import { CART_RETENTION_MS } from "../../../shared/limits.ts";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { farAheadFrom, isFarAhead, plausibleTime } from "../../platform/time/stored_time.ts";
import { cartKey, isExpired, putCart } from "./cart.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { createPass } from "../../platform/jobs/pass.ts";

export const ERASE_CARTS_JOB = { id: "erase_carts", name: "cfbe_erase_carts", payload: null } as const;
export const ERASE_CARTS_EVERY_MS = 60 * 60 * 1000;

/** Erases carts 30 days after their last change, oldest first. Only markers remain, under HMACs. */
export function eraseCarts(
  deps: { kv: Kv; clock: Clock; random: Random; log: Log },
): JobDefinition<null> {
  return {
    name: ERASE_CARTS_JOB.name,
    payload: z.null(),
    runsWhileDeactivated: true,
    async handle(job) {
      const { clock } = deps;
      const pass = createPass(deps, ERASE_CARTS_JOB.name);
      const end = keys.cartByTimeUntil(clock.now() - CART_RETENTION_MS + 1);
      for await (const { key } of pass.list({ start: keys.cartByTimeAll(), end })) {
        if (job.signal.aborted) return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
        await pass.row(() =>
          cas(pass.kv, { cart: cartKey(String(key.at(-1))) }, ({ cart: { value: row } }) => {
            // It changed after it was listed, and now has another index entry.
            if (!row || !isExpired(row, clock.now())) return { value: undefined };
            return { value: undefined, write: (tx) => putCart(tx, row, null) };
          }, deps)
        );
      }
      // Changed while the clock was ahead: their retention begins now.
      const ahead = {
        start: keys.cartByTimeUntil(farAheadFrom(clock.now())),
        end: keys.cartByTimeUntil(Infinity),
      };
      for await (const { key } of pass.list(ahead)) {
        if (job.signal.aborted) return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
        await pass.row(() =>
          cas(pass.kv, { cart: cartKey(String(key.at(-1))) }, ({ cart: { value: row } }) => {
            const now = clock.now();
            if (!row || !isFarAhead(row.changedAt, now)) return { value: undefined };
            const createdAt = plausibleTime(row.createdAt, now);
            return {
              value: undefined,
              write: (tx) => putCart(tx, row, { ...row, createdAt, changedAt: now }),
            };
          }, deps)
        );
      }
      await pass.end();
      return { kind: "done" };
    },
  };
}
