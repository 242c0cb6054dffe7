/** Simulated visitors who sign up, read their emails and confirm. */
import type { Random } from "../../server/platform/deps.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { concurrentVisitors } from "./promises.ts";
import { SALT, type Stage } from "./stage.ts";

/** Outcome of one signup request: a success response, or none because the server was killed. */
type Outcome = "answered" | "unanswered";

/** What one visitor did and saw, which the checks compare with the servers. */
export interface Visitor {
  email: string;
  /** Every signup, in the order sent. */
  signups: { round: number; outcome: Outcome }[];
  /** Whether the visitor clicked the confirmation link; "unanswered" if no response arrived. */
  confirmed: boolean | "unanswered";
}

/** Returns how many of a visitor's signups got a response. */
export const answered = (visitor: Visitor) =>
  visitor.signups.filter(({ outcome }) => outcome === "answered").length;

/** Round number of signups that are sent after the last kill. */
export const AFTER_KILLS = 0;

/** One less than the limit per mailbox and hour, which leaves one for after the kills. */
const SIGNUPS_PER_VISITOR = 2;
/** Highest pause between signups, to limit their number. */
const PAUSE_MS = 150;
const REPEAT_SHARE = 0.15;
const CONFIRM_SHARE = 0.5;
/** Older than the minimum age, so that nobody has to wait for it. */
const TOKEN_AGE_MS = 10_000;

/** Visitors of the server under test, who also read the provider's emails. Remembers what they saw. */
export class Crowd {
  readonly visitors = new Map<string, Visitor>();
  /** Responses that no visitor should have received. */
  readonly problems: string[] = [];
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #mailsSeen = new Set<string>();
  /** A form token that the server accepts. */
  readonly token = issueToken(createKeyring([SALT]), Date.now() - TOKEN_AGE_MS);
  #ips = 0;

  constructor(stage: Stage, random: Random) {
    this.#stage = stage;
    this.#random = random;
  }

  /** Sends a signup request from a new IP address. Returns undefined if there is no response. */
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

  /** Signs up, and records the outcome. */
  async signUp(email: string, round: number): Promise<Outcome> {
    const visitor = this.visitors.get(email) ?? { email, signups: [], confirmed: false };
    this.visitors.set(email, visitor);
    const signup: Visitor["signups"][number] = { round, outcome: "unanswered" };
    visitor.signups.push(signup);
    const response = await this.send({ email });
    const body = await response?.text().catch(() => undefined);
    if (response === undefined || body === undefined) return "unanswered";
    if (response.status === 200 && body.includes('"code":"pending"')) signup.outcome = "answered";
    else this.problems.push(`round ${round}: ${email} got ${response.status} ${body}`);
    return signup.outcome;
  }

  /** Sends signups until `over`, several at a time. Most are from new addresses, some from earlier ones. */
  async signUpUntil(over: AbortSignal, round: number): Promise<void> {
    const length = concurrentVisitors(this.#stage.provider.capabilities);
    let next = 0;
    const visitor = async () => {
      while (!over.aborted) {
        const again = this.#random.float() < REPEAT_SHARE ? this.#randomVisitor() : undefined;
        await this.signUp(again?.email ?? `visitor-${round}-${next++}@site${next % 7}.example`, round);
        await new Promise((resolve) => setTimeout(resolve, this.#random.float() * PAUSE_MS));
      }
    };
    await Promise.all(Array.from({ length }, visitor));
  }

  /** Reads new emails until `over`, and opens the link in about half of them. */
  async readMailsUntil(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      if (await this.readNewMails(over) > 0) continue;
      // There is no notification of new emails.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Reads new emails once. @returns how many of the latest hundred emails were new */
  async readNewMails(over?: AbortSignal): Promise<number> {
    const { provider } = this.#stage;
    // The built-in sandbox is killed with its server.
    const mails = await provider.mails().catch((error) => {
      if (!provider.isInServer || !over) throw error;
      return [];
    });
    const fresh = mails.filter(({ id }) => !this.#mailsSeen.has(id));
    for (const { id, to, click } of fresh) {
      if (over?.aborted) break;
      this.#mailsSeen.add(id);
      if (this.#random.float() >= CONFIRM_SHARE) continue;
      const visitor = this.visitors.get(to);
      const result = await click();
      if (!visitor || visitor.confirmed === true || result === "refused") continue;
      visitor.confirmed = result === "confirmed" || result;
    }
    return fresh.length;
  }

  /** Returns whether another signup is within the limit per mailbox. */
  canSignUpAgain({ signups }: Visitor): boolean {
    return signups.length <= SIGNUPS_PER_VISITOR;
  }

  /** Returns how many signups were sent after the last kill, and how many of them were answered. */
  afterKills(): { sent: number; answered: number } {
    const late = [...this.visitors.values()].flatMap(({ signups }) => signups)
      .filter(({ round }) => round === AFTER_KILLS);
    return { sent: late.length, answered: late.filter(({ outcome }) => outcome === "answered").length };
  }

  /**
   * Returns the totals of a run as text.
   *
   * @param mailCounts the number of emails by address
   */
  summary(mailCounts: ReadonlyMap<string, number>): string {
    const all = [...this.visitors.values()];
    const signups = all.flatMap((visitor) => visitor.signups);
    const unanswered = signups.filter(({ outcome }) => outcome === "unanswered").length;
    const confirmed = all.filter((visitor) => visitor.confirmed === true).length;
    const repeated = [...mailCounts.values()].filter((count) => count > 1).length;
    return `${all.length} visitors, ${signups.length} signups, ${unanswered} of them unanswered, ` +
      `${confirmed} confirmed, ${repeated} with more than one email`;
  }

  #randomVisitor(): Visitor | undefined {
    const all = [...this.visitors.values()];
    const visitor = all[Math.floor(this.#random.float() * all.length)];
    return visitor && visitor.signups.length < SIGNUPS_PER_VISITOR ? visitor : undefined;
  }

  #nextIp(): string {
    const n = this.#ips++;
    return `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
  }
}
