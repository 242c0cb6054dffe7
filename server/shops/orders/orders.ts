import type { Clock, Log, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { checkoutSignupJob } from "./checkout_signup_job.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import type { Key } from "../../platform/kv/key.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { plausibleTime } from "../../platform/time/stored_time.ts";
import { type EntriesOf, keysIn, type NamedKeys, readEntries } from "../../platform/kv/entries.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import { isSending, SEND_WINDOW_MS } from "../mail/sending.ts";
import { cartKey, type CartRow, putCart } from "../carts/cart.ts";
import { type ReportedOrder, type StoredOrder, storedOrderOf } from "./order_of_site.ts";
import { MARKER_KEPT, type MarkerRow, type Markers } from "../mail/markers.ts";
import {
  isNewer,
  isPurchase,
  type Order,
  type OrderMarker,
  plausibleShopTime,
  RECENT_ORDER_MS,
} from "../systems/order.ts";

/** The result of an order: new and accepted, known with a new state, or ignored. */
export type Acceptance = "accepted" | "updated" | "ignored";

/** Accepts orders of any shop system. */
export interface Orders {
  /**
   * Stores an order, ends the carts of its session and mailbox, and signs up a buyer who opted in (once per order), in
   * one commit. After this resolves, no reminder is sent for those carts, and the order can be acknowledged.
   *
   * @param site URL of the connected site that sent it: other sites have other orders with the same ID
   * @throws {Contended} if other commits keep interfering; nothing was written then
   */
  accept(order: Order, site?: string): Promise<Acceptance>;
  /**
   * Ends the cart of a session that has ordered without an email address. After this resolves, no reminder is sent for
   * it.
   *
   * @throws {Contended} as `accept`
   */
  endCart(session: string): Promise<Exclude<Acceptance, "updated">>;
}

/** A new state of an order, for its effects. */
export interface OrderUpdate {
  order: Order;
  /** HMAC of the order's ID. */
  id: string;
  /** From `normalizeEmail`. */
  email: string;
}

/** Another effect of orders, written in the commit that stores the new state. */
export interface OrderEffect {
  /**
   * Prepares the effect of an update. Returns undefined if it has none.
   *
   * @param room how many keys the database can check besides those of the order and of earlier effects
   */
  prepare(update: OrderUpdate, room: number): Promise<PreparedEffect | undefined>;
}

export interface PreparedEffect<Keys extends NamedKeys = NamedKeys> {
  /** The keys to read in the commit. */
  keys: Keys;
  /**
   * Pure, because it may run several times.
   *
   * @param entries of `keys`
   * @param known the known state of the order before
   * @returns what to write, or `"retry"` if data that `prepare` read has changed since; it is then called again
   */
  decide(
    entries: EntriesOf<Keys>,
    known: OrderMarker | null,
    now: number,
  ): ((tx: AtomicOperation) => void) | "retry";
}

/** Returns the effect with the type of its keys erased, for a list of different effects. */
export function preparedEffect<Keys extends NamedKeys>(own: PreparedEffect<Keys>): PreparedEffect {
  return own;
}

interface Options {
  /** Called for new states only, not for repeated deliveries. */
  effects?: OrderEffect[];
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  markers: Markers;
  settings: SettingsStore;
  wake: () => void;
  /** While this is false, orders are stored but sign nobody up. */
  isActive: () => boolean;
}

/** How often to check whether a reminder has been sent. */
const POLL_EVERY_MS = 200;

/** An order while it is being stored. */
interface Arrival extends Omit<OrderUpdate, "id"> {
  /** URL of the connected site that sent it. */
  site: string | undefined;
  /** HMAC of the mailbox. */
  mailbox: string;
  /** HMAC of the session, if the order names one. */
  cart: string | undefined;
  /** Whether the order's opt-in leads to a signup. */
  signsUp: boolean;
}

export function createOrders(options: Options): Orders {
  const { kv, clock, random, log, markers, settings, wake, isActive, effects = [] } = options;

  /** Waits while a reminder is being sent, so that the order is acknowledged after it. */
  async function waitWhileSending({ mailbox, cart }: Partial<Arrival>): Promise<void> {
    const sending = {
      mailed: mailbox === undefined ? mailbox : markers.mailboxMailed(mailbox),
      cart: cart === undefined ? cart : cartKey(cart),
    };
    const end = clock.now() + SEND_WINDOW_MS;
    while (clock.now() < end) {
      const rows = await readEntries(kv, sending);
      if (![rows.mailed?.value, rows.cart?.value?.mail].some((mail) => isSending(mail, clock.now()))) return;
      await clock.sleep(POLL_EVERY_MS);
    }
  }

  /** Writes that a session has ordered, which ends its cart. */
  function writeEnd(tx: AtomicOperation, cart: string, before: CartRow | null, now: number): void {
    tx.set(markers.sessionOrdered(cart), { v: 1, at: now } satisfies MarkerRow, MARKER_KEPT);
    // While its reminder is being sent, the row is needed for the result.
    if (before && before.mail?.state !== "sending") putCart(tx, before, null);
  }

  /** Stores an order with all its effects in one commit. */
  function commitOrder(arrival: Arrival): Promise<Acceptance> {
    const { order, email, mailbox, cart } = arrival;
    const label = order.optInText ?? settings.current().checkout.label;
    let stored: StoredOrder;
    let job: ReturnType<typeof checkoutSignupJob>;
    let prepared: PreparedEffect[];
    /** Not checked, to leave room for effects: only the commit that takes the order adds its job, and that checks `seen`. */
    let existing: EntriesOf<{ job: Key<JobRow> | undefined }>["job"];
    const read = async () => {
      stored = await storedOrderOf({ kv, markers }, arrival);
      const { id } = stored;
      job = checkoutSignupJob(id, { ...order, email, label });
      ({ job: existing } = await readEntries(kv, { job: arrival.signsUp ? jobKey(job.id) : undefined }));
      const own = {
        seen: markers.orderSeen(id),
        ordered: markers.mailboxOrdered(mailbox),
        cart: cart === undefined ? cart : cartKey(cart),
      };
      prepared = await prepareAll(
        effects,
        { order, id, email },
        kv.engine.limits.checks - keysIn(own).length,
      );
      return { ...own, effects: prepared.map(({ keys }) => keys) };
    };
    return cas(kv, read, (rows): Decision<Acceptance> => {
      const now = clock.now();
      const known = rows.seen.value;
      // Another site has stored an order with this ID since.
      if (!stored.isMeant(known)) return "retry";
      const marker = markerAfter(known, arrival, now);
      if (!marker) return { value: "ignored" };
      const writes = rows.effects.map((entries, i) => prepared[i]?.decide(entries, known, now));
      if (writes.includes("retry")) return "retry";
      const writeUpdate = (tx: AtomicOperation) => {
        tx.set(markers.orderSeen(stored.id), marker, MARKER_KEPT);
        for (const write of writes) if (typeof write === "function") write(tx);
      };
      if (known?.taken) return { value: "updated", write: writeUpdate };
      if (!marker.taken) return { value: "ignored", write: writeUpdate };
      return {
        value: "accepted",
        write(tx) {
          writeUpdate(tx);
          // The latest purchase counts, even if the clock has gone back.
          const bought = isOld(order, now) ? order.orderedAt! : now;
          const at = Math.max(bought, plausibleTime(rows.ordered.value?.at ?? 0, now));
          tx.set(markers.mailboxOrdered(mailbox), { v: 1, at } satisfies MarkerRow, MARKER_KEPT);
          if (cart !== undefined) writeEnd(tx, cart, rows.cart?.value ?? null, now);
          if (existing) addJob(tx, existing, { ...job, due: now }, now);
        },
      };
    }, { clock, random });
  }

  return {
    async accept(order, site) {
      const email = normalizeEmail(order.email)!;
      const isOn = settings.current().general.modules.checkout;
      const ignored = optInIgnoredReason(order, { isActive: isActive(), isOn }, clock.now());
      const arrival: Arrival = {
        order,
        site,
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
    async endCart(session) {
      const cart = markers.cartOf(session);
      const read = { ordered: markers.sessionOrdered(cart), cart: cartKey(cart) };
      const acceptance = await cas(kv, read, (rows): Decision<"accepted" | "ignored"> => {
        if (rows.ordered.value) return { value: "ignored" };
        return {
          value: "accepted",
          write: (tx) => writeEnd(tx, cart, rows.cart.value, clock.now()),
        };
      }, { clock, random });
      await waitWhileSending({ cart });
      return acceptance;
    },
  };
}

async function prepareAll(
  effects: OrderEffect[],
  update: OrderUpdate,
  room: number,
): Promise<PreparedEffect[]> {
  const prepared: PreparedEffect[] = [];
  for (const effect of effects) {
    const used = prepared.reduce((sum, { keys }) => sum + keysIn(keys).length, 0);
    const one = await effect.prepare(update, room - used);
    if (one) prepared.push(one);
  }
  return prepared;
}

/** Returns the known state of an order after this report, or undefined if the report is not new. */
function markerAfter(
  known: OrderMarker | null,
  { order, site }: ReportedOrder,
  now: number,
): OrderMarker | undefined {
  const changedAt = plausibleShopTime(order.changedAt, now);
  if (!isNewer(known, { status: order.status, changedAt })) return undefined;
  return {
    v: 1,
    at: now,
    status: order.status,
    ...(changedAt !== undefined && { changedAt }),
    ...(order.orderedAt !== undefined && { orderedAt: order.orderedAt }),
    ...(plausibleShopTime(order.orderedAt, now) === undefined &&
      { firstAt: known?.firstAt ?? known?.at ?? now }),
    ...(site !== undefined && { site }),
    taken: isPurchase(order) || (known?.taken ?? false),
  };
}

/** Returns whether an order is too old to end carts, sign anyone up or send emails. */
export function isOld({ orderedAt }: Pick<Order, "orderedAt">, now: number): boolean {
  return orderedAt !== undefined && now - orderedAt > RECENT_ORDER_MS;
}

/** Returns why an opt-in is ignored; undefined if it is not, or there is none. */
function optInIgnoredReason(
  order: Order,
  { isActive, isOn }: { isActive: boolean; isOn: boolean },
  now: number,
): string | undefined {
  if (!order.optIn) return undefined;
  if (!isActive) return "the service is deactivated";
  if (!isOn) return "the module checkout is off";
  return isOld(order, now) ? "the order is more than three days old" : undefined;
}
