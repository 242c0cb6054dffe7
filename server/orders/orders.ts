import type { Clock, Log, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { checkoutSignupJob } from "./checkout_signup_job.ts";
import type { JobRow } from "../jobs/row.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { SettingsStore } from "../settings/store.ts";
import { normalEmail } from "../http/email.ts";
import { type CartMail, isSending, SEND_WINDOW_MS } from "../mail/sending.ts";
import { type CartRow, putCart } from "../carts/cart.ts";
import { MARKER_KEPT, type MarkerRow, type Markers } from "../mail/markers.ts";
import { FRESH_ORDER_MS, isBought, isNews, type Order, type OrderMarker, plausible } from "../shop/order.ts";

/** What an order came to: taken over, known and now in another state, or nothing new (or no order). */
export type Acceptance = "accepted" | "updated" | "ignored";

/** Orders of whichever shop system. */
export interface Orders {
  /**
   * Take an order over: it ends the carts of its session and its mailbox, and signs up whoever ticked the box, once
   * an order, in one commit. When this resolves the order may be acknowledged: no cart mail leaves any more.
   *
   * @throws {Contended} when the database keeps changing underneath; nothing was written then
   */
  accept(order: Order): Promise<Acceptance>;
}

/** News of an order, as its followers get it. */
export interface OrderNews {
  order: Order;
  /** HMAC of its id. */
  id: string;
  /** Normalised. */
  email: string;
}

/** What else follows from an order, in the commit that takes its news over. */
export interface OrderFollower {
  /** What is to be read along, and what is to be written then. Undefined: nothing follows. */
  begin(news: OrderNews): Promise<Follow | undefined>;
}

export interface Follow {
  keys: Deno.KvKey[];
  /**
   * Pure: it may run many times.
   *
   * @param entries of `keys`, in their order
   * @param known what was known of the order before
   * @returns false when what `begin` read has changed since: it is begun again
   */
  decide(
    entries: Deno.KvEntryMaybe<unknown>[],
    known: OrderMarker | null,
    now: number,
  ): ((tx: Deno.AtomicOperation) => void) | false;
}

interface Options {
  /** Told of news alone, never of what is known. */
  followers?: OrderFollower[];
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  markers: Markers;
  settings: SettingsStore;
  wake: () => void;
  /** While it is not, an order is taken over as ever, and signs nobody up. */
  isActive: () => boolean;
}

type Entries = Deno.KvEntryMaybe<unknown>[];

/** How often to look whether a mail that is on its way has arrived. */
const LOOK_EVERY_MS = 200;

const AGAIN = Symbol("what a follower had read changed meanwhile");

export function createOrders(options: Options): Orders {
  const { kv, clock, random, log, markers, settings, wake, isActive, followers = [] } = options;

  /** A mail that left before its order came is on its way: the order is acknowledged after it, not before. */
  async function untilNothingIsSending(sending: Deno.KvKey[]): Promise<void> {
    const end = clock.now() + SEND_WINDOW_MS;
    while (clock.now() < end) {
      const rows = await kv.getMany<unknown[]>(sending);
      const mails = rows.map(({ value }) => {
        // A mailbox's mark is a mail, a cart's row holds one.
        return value && typeof value === "object" && "mail" in value ? value.mail : value;
      });
      if (!mails.some((mail) => isSending(mail as CartMail | null, clock.now()))) return;
      await clock.sleep(LOOK_EVERY_MS);
    }
  }

  return {
    async accept(order) {
      const email = normalEmail(order.email)!;
      const id = markers.order(order.id);
      const mailbox = markers.mailbox(email);
      const cart = order.session === undefined ? undefined : markers.cartOf(order.session);
      const { general, checkout } = settings.current();
      const job = checkoutSignupJob(id, { ...order, email, label: checkout.label });
      const ignored = optInIgnored(
        order,
        { isActive: isActive(), isOn: general.modules.checkout },
        clock.now(),
      );

      const own = [
        markers.orderSeen(id),
        markers.mailboxOrdered(mailbox),
        keys.job(job.id),
        ...(cart === undefined ? [] : [keys.cart(cart)]),
      ];
      const accepting = async () => {
        const begun = await beginAll(followers, { order, id, email });
        return await cas(kv, [...own, ...begun.keys], (
          entries: Entries,
        ): Decision<Acceptance | typeof AGAIN> => {
          const [seen, ordered, row, cartRow] = entries.slice(0, own.length);
          const now = clock.now();
          const known = seen!.value as OrderMarker | null;
          const changedAt = plausible(order.changedAt, now);
          if (!isNews(known, { status: order.status, changedAt })) return { value: "ignored" };
          const takes = !known?.taken && isBought(order);
          const marker: OrderMarker = {
            v: 1,
            at: now,
            status: order.status,
            ...(changedAt !== undefined && { changedAt }),
            taken: takes || (known?.taken ?? false),
          };
          const follow = begun.decide(entries.slice(own.length), known, now);
          if (!follow) return { value: AGAIN };
          const note = (tx: Deno.AtomicOperation) => {
            tx.set(markers.orderSeen(id), marker, MARKER_KEPT);
            follow(tx);
          };
          if (!takes) return { value: known?.taken ? "updated" : "ignored", write: note };
          const before = (cartRow?.value ?? null) as CartRow | null;
          return {
            value: "accepted",
            write(tx) {
              note(tx);
              // The latest counts, also when the clock went back since.
              const bought = isOld(order, now) ? order.orderedAt! : now;
              const at = Math.max(bought, (ordered!.value as MarkerRow | null)?.at ?? 0);
              tx.set(markers.mailboxOrdered(mailbox), { v: 1, at } satisfies MarkerRow, MARKER_KEPT);
              if (cart !== undefined) {
                tx.set(markers.sessionOrdered(cart), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
              }
              // While its mail is on its way, the row is where that is told.
              if (before && before.mail?.state !== "sending") putCart(tx, before, null);
              if (order.optIn && ignored === undefined) {
                addJob(tx, row as Deno.KvEntryMaybe<JobRow>, { ...job, due: now }, now);
              }
            },
          };
        }, { clock, random });
      };
      let acceptance = await accepting();
      while (acceptance === AGAIN) acceptance = await accepting();
      if (acceptance === "accepted" && ignored !== undefined) {
        log.warn("order.opt_in_ignored", { reason: ignored });
      }
      wake();
      if (!isBought(order)) return acceptance;
      await untilNothingIsSending([
        markers.mailboxMailed(mailbox),
        ...(cart === undefined ? [] : [keys.cart(cart)]),
      ]);
      return acceptance;
    },
  };
}

/** Every follower as one. */
async function beginAll(followers: OrderFollower[], news: OrderNews): Promise<Follow> {
  const follows = (await Promise.all(followers.map((follower) => follower.begin(news))))
    .filter((follow) => follow !== undefined);
  return {
    keys: follows.flatMap((follow) => follow.keys),
    decide(entries, known, now) {
      let at = 0;
      const writes = follows.map((follow) =>
        follow.decide(entries.slice(at, at += follow.keys.length), known, now)
      );
      if (writes.includes(false)) return false;
      return (tx) => {
        for (const write of writes) if (write) write(tx);
      };
    },
  };
}

export function isOld({ orderedAt }: Pick<Order, "orderedAt">, now: number): boolean {
  return orderedAt !== undefined && now - orderedAt > FRESH_ORDER_MS;
}

/** Why a ticked box signs nobody up; undefined if it does, or is not ticked. */
function optInIgnored(
  order: Order,
  { isActive, isOn }: { isActive: boolean; isOn: boolean },
  now: number,
): string | undefined {
  if (!order.optIn) return undefined;
  if (!isActive) return "the service is deactivated";
  if (!isOn) return "the module checkout is off";
  return isOld(order, now) ? "the order is more than three days old" : undefined;
}
