import type { Cart, CheckoutSession } from "../../../../shared/contract.ts";
import type { ConfigFile } from "../../../settings/hooks/config_file.ts";
import type { PartialSettings } from "../../../settings/schema/schema.ts";
import { eventually } from "../../../../dev/testing/eventually.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../../dev/testing/program.ts";
import { SIGNATURE_HEADER, signOrder, TIME_HEADER } from "../generic/signature.ts";

const SECRET = "the shop's secret, long enough";
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const CART: Cart = {
  items: [{ id: "mug", name: "A mug", quantity: 2, price: 9.5 }],
  total: 19,
  currency: "EUR",
  url: "https://shop.example/checkout",
};

/** An email in the sandbox's inbox; `data` is the template's data. */
export interface SentCartMail {
  to: string;
  subject: string;
  data: { restoreUrl: string; stopUrl: string } & Omit<Cart, "url">;
}

/** The program with the modules `carts` and `checkout`, a manual clock, and the requests of a checkout. */
export interface Checkout extends AsyncDisposable {
  program: TestProgram;
  clock: ManualClock;
  session(): Promise<CheckoutSession>;
  /** Sends `POST cart-email`, by default with the nonce of a new session. */
  email(email: unknown, nonce?: string, ip?: string): Promise<Response>;
  cart(cart: unknown, nonce: string, ip?: string): Promise<Response>;
  /** Sends the content of a cart, signed by the shop's server. */
  signedCart(cart: Record<string, unknown>, changes?: SigningChanges): Promise<Response>;
  /** Sends a signed order. Missing required fields get valid values. */
  order(order: Record<string, unknown>, changes?: SigningChanges): Promise<Response>;
  /** Starts a session, and sends its address and cart. */
  abandonCart(email: string): Promise<CheckoutSession>;
  /** Runs the jobs that are due, advances the clock, and runs each job at the moment when it becomes due. */
  runFor(ms: number): Promise<void>;
  mails(email: string): Promise<SentCartMail[]>;
  /** Makes the sandbox provider fail in this way. */
  setFault(mode: string): Promise<void>;
}

/** Ways to forge a signature. */
export interface SigningChanges {
  secret?: string;
  atMs?: number;
  signature?: string;
  body?: string;
}

/** Starts the program with the modules of a shop, which allows the origin of `CART`. */
async function startShopProgram(
  settings: PartialSettings,
  { filters, ...options }: {
    clock: ManualClock;
    prefix: string;
    env: Record<string, string>;
    filters: NonNullable<ConfigFile["filters"]>;
  },
): Promise<TestProgram> {
  const modules = { carts: true, checkout: true, ...settings.general?.modules };
  const program = await startProgram({
    ...options,
    file: {
      filters,
      settings: {
        ...settings,
        general: { ...settings.general, modules },
        carts: { audience: "all", ...settings.carts },
        checkout: { secret: SECRET, ...settings.checkout },
      },
    },
  });
  if (!settings.general?.origins) {
    await program.services.settings.save("general", { origins: [new URL(CART.url).origin] });
  }
  return program;
}

/** Posts a text, or anything else as JSON. */
function post(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Returns the reminders in the sandbox's inbox. */
async function cartMailsTo(email: string, baseUrl: string): Promise<SentCartMail[]> {
  const response = await fetch(`${baseUrl}/sandbox/inbox.json?email=${encodeURIComponent(email)}`);
  const { mails } = await response.json() as {
    mails: { to: string; kind: string; subject: string; text: string }[];
  };
  return mails.filter(({ kind }) => kind === "triggered")
    .map(({ to, subject, text }) => ({ to, subject, data: JSON.parse(text) }));
}

export async function startCheckout(
  settings: PartialSettings = {},
  prefix = "",
  env: Record<string, string> = {},
  filters: NonNullable<ConfigFile["filters"]> = {},
): Promise<Checkout> {
  const clock = new ManualClock();
  const program = await startShopProgram(settings, { clock, prefix, env, filters });
  const { baseUrl, api } = program;
  const postSigned = (
    path: string,
    sent: string,
    { secret = SECRET, atMs = clock.now(), signature }: SigningChanges,
  ) => {
    const time = String(Math.floor(atMs / 1000));
    return post(`${baseUrl}${path}`, sent, {
      [TIME_HEADER]: time,
      [SIGNATURE_HEADER]: signature ?? signOrder(secret, time, new TextEncoder().encode(sent)),
    });
  };
  /** Waits until no job is due or running. Returns the milliseconds until the next one is due. */
  async function untilNextJob(): Promise<number> {
    let wait = 0;
    await eventually("no job is due", async () => {
      await program.runner.idle();
      wait = (await program.queue.nextDue() ?? Infinity) - clock.now();
      return wait > 0;
    });
    return wait;
  }
  let orders = 0;

  const checkout: Checkout = {
    program,
    clock,
    session: async () => await (await fetch(`${baseUrl}/checkout-session`)).json(),
    email: async (email, nonce, ip = "192.0.2.1") =>
      await post(`${api}/cart-email`, { email }, {
        "x-wp-nonce": nonce ?? (await checkout.session()).nonce,
        "x-real-ip": ip,
      }),
    cart: (cart, nonce, ip = "192.0.2.1") =>
      post(`${baseUrl}/cart`, cart, { "x-wp-nonce": nonce, "x-real-ip": ip }),
    signedCart: (cart, changes = {}) => postSigned("/cart", JSON.stringify(cart), changes),
    order(order, changes = {}) {
      const defaults = { id: `order-${++orders}`, status: "processing", email: "ann@example.com", total: 19 };
      return postSigned(
        "/shop-hook/generic",
        changes.body ?? JSON.stringify({ ...defaults, ...order }),
        changes,
      );
    },
    async abandonCart(email) {
      const session = await checkout.session();
      const { nonce } = session;
      for (const response of [await checkout.cart(CART, nonce), await checkout.email(email, nonce)]) {
        const body = await response.text();
        if (body !== '{"stored":true}') throw new Error(`${response.status} ${body}`);
      }
      return session;
    },
    async runFor(ms) {
      let wait = await untilNextJob();
      const end = clock.passed + ms;
      // A job that runs while the clock moves by a minute loses its lease: its result is then unknown, and it runs twice.
      while (clock.passed < end) {
        await clock.advance(Math.min(wait, end - clock.passed));
        wait = await untilNextJob();
      }
    },
    mails: (email) => cartMailsTo(email, baseUrl),
    async setFault(mode) {
      const response = await post(`${baseUrl}/sandbox/faults`, { mode }, {});
      if (!response.ok) throw new Error(`faults: ${response.status}`);
      await response.body?.cancel();
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
  return checkout;
}

/** Returns a response's status and JSON body. */
export async function statusAndBody(pending: Response | Promise<Response>): Promise<[number, unknown]> {
  const response = await pending;
  return [response.status, await response.json()];
}
