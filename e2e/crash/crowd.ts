import type { Random } from "../../server/deps.ts";
import type { Stage } from "./stage.ts";

/** What came of one request: a neutral success, or nothing, because the program died. */
type Came = "answered" | "unanswered";

/** What the outside knows of one address: all that the proof may go by. */
export interface Visitor {
  email: string;
  /** Every signup, in the order in which they were sent. */
  signups: { round: number; came: Came }[];
  /** The link in the mail was opened, and the provider said so. */
  confirmed: boolean;
}

export const answered = (visitor: Visitor) =>
  visitor.signups.filter(({ came }) => came === "answered").length;

/** The round of those who come when the killing is over. */
export const AFTERWARDS = 0;

/** One less than a mailbox may in an hour, which leaves one for afterwards: that limit is not what is tested. */
const SIGNUPS_EACH = 2;
const AT_ONCE = 8;
/** A visitor reads before the next one is sent, or there would be more of them than the proof can count. */
const THINK_MS = 150;
const REPEATS = 0.15;
const CONFIRMING = 0.5;
const TOKEN_AGE_MS = 3_100;

/** Visitors of the program under test and readers of the provider's mails; remembers what they saw. */
export class Crowd {
  readonly visitors = new Map<string, Visitor>();
  /** Answers that no visitor should have got. */
  readonly wrong: string[] = [];
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #mailsSeen = new Set<string>();
  /** A form token that is old enough. */
  token = "";
  #ips = 0;

  constructor(stage: Stage, random: Random) {
    this.#stage = stage;
    this.#random = random;
  }

  /** One form token serves everybody for two hours; this waits until it is old enough. */
  async takeToken(): Promise<void> {
    const response = await fetch(`${this.#stage.namespace}/form-token`);
    const { token } = await response.json() as { token: string };
    await new Promise((resolve) => setTimeout(resolve, TOKEN_AGE_MS));
    this.token = token;
  }

  /** Sends a request as a visitor of its own IP; undefined when no answer came. */
  async send(body: Record<string, unknown>, ip = this.#nextIp()): Promise<Response | undefined> {
    try {
      return await fetch(`${this.#stage.namespace}/subscribe`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-real-ip": ip },
        body: JSON.stringify({ source: "shortcode", cfbe_token: this.token, ...body }),
      });
    } catch {
      return undefined;
    }
  }

  async signUp(email: string, round: number): Promise<Came> {
    const visitor = this.visitors.get(email) ?? { email, signups: [], confirmed: false };
    this.visitors.set(email, visitor);
    const signup: Visitor["signups"][number] = { round, came: "unanswered" };
    visitor.signups.push(signup);
    const response = await this.send({ email });
    const body = await response?.text().catch(() => undefined);
    if (response === undefined || body === undefined) return "unanswered";
    if (response.status === 200 && body.includes('"code":"pending"')) signup.came = "answered";
    else this.wrong.push(`round ${round}: ${email} was answered ${response.status} ${body}`);
    return signup.came;
  }

  /** Eight at a time until `over`: new addresses mostly, some that come again. */
  async comeUntil(over: AbortSignal, round: number): Promise<void> {
    let next = 0;
    const one = async () => {
      while (!over.aborted) {
        const again = this.#random.float() < REPEATS ? this.#anyWho() : undefined;
        await this.signUp(again?.email ?? `visitor-${round}-${next++}@site${next % 7}.example`, round);
        await new Promise((resolve) => setTimeout(resolve, this.#random.float() * THINK_MS));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }

  /** Reads new mails until `over`, and opens the link in about half of them. */
  async readUntil(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      if (await this.readNewMails(over) > 0) continue;
      // Nothing tells of new mail but the inbox itself.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** @returns how many of the latest hundred mails were new */
  async readNewMails(over?: AbortSignal): Promise<number> {
    const response = await fetch(`${this.#stage.sandbox}/inbox.json?limit=100`);
    const { mails } = await response.json() as {
      mails: { id: string; to: string; links: { confirm: string } }[];
    };
    const fresh = mails.filter(({ id }) => !this.#mailsSeen.has(id));
    for (const { id, to, links } of fresh) {
      if (over?.aborted) break;
      this.#mailsSeen.add(id);
      if (this.#random.float() >= CONFIRMING) continue;
      const opened = await fetch(links.confirm);
      await opened.body?.cancel();
      const visitor = this.visitors.get(to);
      if (opened.ok && visitor) visitor.confirmed = true;
    }
    return fresh.length;
  }

  mayComeAgain({ signups }: Visitor): boolean {
    return signups.length <= SIGNUPS_EACH;
  }

  /** How many signups were sent after the killing, and how many of them were answered. */
  afterwards(): { sent: number; answered: number } {
    const late = [...this.visitors.values()].flatMap(({ signups }) => signups)
      .filter(({ round }) => round === AFTERWARDS);
    return { sent: late.length, answered: late.filter(({ came }) => came === "answered").length };
  }

  /** In figures, for who waited through a long run. */
  summary(): string {
    const all = [...this.visitors.values()];
    const signups = all.flatMap((visitor) => visitor.signups);
    const lost = signups.filter(({ came }) => came === "unanswered").length;
    const confirmed = all.filter((visitor) => visitor.confirmed).length;
    return `${all.length} visitors, ${signups.length} signups, ${lost} of them unanswered, ${confirmed} confirmed`;
  }

  #anyWho(): Visitor | undefined {
    const all = [...this.visitors.values()];
    const visitor = all[Math.floor(this.#random.float() * all.length)];
    return visitor && visitor.signups.length < SIGNUPS_EACH ? visitor : undefined;
  }

  #nextIp(): string {
    const n = this.#ips++;
    return `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
  }
}
