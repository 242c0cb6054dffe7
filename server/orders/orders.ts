import type { Clock, Log, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { checkoutSignupJob } from "./checkout_signup_job.ts";
import { jobKey } from "../jobs/row.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { type EntriesOf, type NamedKeys, readEntries } from "../kv/entries.ts";
import type { SettingsStore } from "../settings/store.ts";
import { normalizeEmail } from "../http/email.ts";
import { isSending, SEND_WINDOW_MS } from "../mail/sending.ts";
import { cartKey, putCart } from "../carts/cart.ts";
import { MARKER_KEPT, type MarkerRow, type Markers } from "../mail/markers.ts";
import {
  isNewer,
  isPurchase,
  type Order,
  type OrderMarker,
  plausibleTime,
  RECENT_ORDER_MS,
} from "../shop/order.ts";

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
export interface OrderUpdate {
  order: Order;
  /** HMAC of its id. */
  id: string;
  /** Normalised. */
  email: string;
}

/** What else follows from an order, in the commit that takes its news over. */
export interface OrderEffect {
  /** What is to be read along, and what is to be written then. Undefined: nothing follows. */
  begin(news: OrderUpdate): Promise<PreparedEffect | undefined>;
}

export interface PreparedEffect<Keys extends NamedKeys = NamedKeys> {
  keys: Keys;
  /**
   * Pure: it may run many times.
   *
   * @param entries of `keys`
   * @param known what was known of the order before
   * @returns what to write, or `"retry"` when what `begin` read has changed since: it then begins again
   */
  decide(
    entries: EntriesOf<Keys>,
    known: OrderMarker | null,
    now: number,
  ): ((tx: Deno.AtomicOperation) => void) | "retry";
}

/** Returns the same, as one of a list of followers that each read other rows. */
export function follow<Keys extends NamedKeys>(own: PreparedEffect<Keys>): PreparedEffect {
  return own;
}

interface Options {
  /** Told of news alone, never of what is known. */
  effects?: OrderEffect[];
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

/** How often to look whether a mail that is on its way has arrived. */
const POLL_EVERY_MS = 200;

/** An order as it is taken over. */
interface Arrival extends OrderUpdate {
  /** HMAC of the mailbox. */
  mailbox: string;
  /** HMAC of the session, where the order names one. */
  cart: string | undefined;
  /** Whether the box that was ticked signs somebody up. */
  signsUp: boolean;
}

export function createOrders(options: Options): Orders {
  const { kv, clock, random, log, markers, settings, wake, isActive, effects = [] } = options;

  /** A mail that left before its order came is on its way: the order is acknowledged after it, not before. */
  async function waitWhileSending({ mailbox, cart }: Arrival): Promise<void> {
    const sending = {
      mailed: markers.mailboxMailed(mailbox),
      cart: cart === undefined ? cart : cartKey(cart),
    };
    const end = clock.now() + SEND_WINDOW_MS;
    while (clock.now() < end) {
      const { mailed, cart } = await readEntries(kv, sending);
      if (![mailed.value, cart?.value?.mail].some((mail) => isSending(mail, clock.now()))) return;
      await clock.sleep(POLL_EVERY_MS);
    }
  }

  /** Takes an order over, with everything that follows from it, in one commit. */
  function commitOrder(arrival: Arrival): Promise<Acceptance> {
    const { order, id, email, mailbox, cart } = arrival;
    const job = checkoutSignupJob(id, { ...order, email, label: settings.current().checkout.label });
    let follows: PreparedEffect[];
    const read = async () => {
      follows = await prepareAll(effects, arrival);
      return {
        seen: markers.orderSeen(id),
        ordered: markers.mailboxOrdered(mailbox),
        existing: jobKey(job.id),
        cart: cart === undefined ? cart : cartKey(cart),
        follows: follows.map(({ keys }) => keys),
      };
    };
    return cas(kv, read, (rows): Decision<Acceptance> => {
      const now = clock.now();
      const known = rows.seen.value;
      const marker = markerAfter(known, order, now);
      if (!marker) return { value: "ignored" };
      const writes = rows.follows.map((entries, i) => follows[i]?.decide(entries, known, now));
      if (writes.includes("retry")) return "retry";
      const note = (tx: Deno.AtomicOperation) => {
        tx.set(markers.orderSeen(id), marker, MARKER_KEPT);
        for (const write of writes) if (typeof write === "function") write(tx);
      };
      if (known?.taken) return { value: "updated", write: note };
      if (!marker.taken) return { value: "ignored", write: note };
      const before = rows.cart?.value;
      return {
        value: "accepted",
        write(tx) {
          note(tx);
          // The latest counts, also when the clock went back since.
          const bought = isOld(order, now) ? order.orderedAt! : now;
          const at = Math.max(bought, rows.ordered.value?.at ?? 0);
          tx.set(markers.mailboxOrdered(mailbox), { v: 1, at } satisfies MarkerRow, MARKER_KEPT);
          if (cart !== undefined) {
            tx.set(markers.sessionOrdered(cart), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
          }
          // While its mail is on its way, the row is where its result is stored.
          if (before && before.mail?.state !== "sending") putCart(tx, before, null);
          if (arrival.signsUp) addJob(tx, rows.existing, { ...job, due: now }, now);
        },
      };
    }, { clock, random });
  }

  return {
    async accept(order) {
      const email = normalizeEmail(order.email)!;
      const isOn = settings.current().general.modules.checkout;
      const ignored = optInIgnored(order, { isActive: isActive(), isOn }, clock.now());
      const arrival: Arrival = {
        order,
        id: markers.order(order.id),
        email,
        mailbox: markers.mailbox(email),
        cart: order.session === undefined ? undefined : markers.cartOf(order.session),
        signsUp: order.optIn && ignored === undefined,
      };
      const acceptance = await commitOrder(arrival);
      if (acceptance === "accepted" && ignored !== undefined) {
        log.warn("order.opt_in_ignored", { reason: ignored });
      }
      wake();
      if (isPurchase(order)) await waitWhileSending(arrival);
      return acceptance;
    },
  };
}

async function prepareAll(effects: OrderEffect[], news: OrderUpdate): Promise<PreparedEffect[]> {
  const follows = await Promise.all(effects.map((follower) => follower.begin(news)));
  return follows.filter((follow) => follow !== undefined);
}

/** Returns what is known of an order after this; undefined when it says nothing new. */
function markerAfter(known: OrderMarker | null, order: Order, now: number): OrderMarker | undefined {
  const changedAt = plausibleTime(order.changedAt, now);
  if (!isNewer(known, { status: order.status, changedAt })) return undefined;
  return {
    v: 1,
    at: now,
    status: order.status,
    ...(changedAt !== undefined && { changedAt }),
    taken: isPurchase(order) || (known?.taken ?? false),
  };
}

export function isOld({ orderedAt }: Pick<Order, "orderedAt">, now: number): boolean {
  return orderedAt !== undefined && now - orderedAt > RECENT_ORDER_MS;
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
