import assert from "node:assert/strict";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import {
  type Arrival,
  drawsOf,
  honest,
  HOUR,
  merged,
  MINUTE,
} from "../../platform/attack/testing/simulated.ts";

const WEEK = 168 * HOUR;
const CAMPAIGN_AT = 58 * HOUR;
const SCRIPT_AT = 100 * HOUR;
const RATE = 0.55;

/** The newsletter is announced: so many visitors an hour, half as many after each half hour. */
const campaign = (at: number) => at < CAMPAIGN_AT ? 0 : 1_200 * 2 ** (-(at - CAMPAIGN_AT) / (30 * MINUTE));

/** Visitors of a week by day and by night, and those of a campaign. */
const visits = (draw = drawsOf(11)) => [
  ...merged(
    honest(draw, {
      perHour: (at) => 4 * (1 + 0.8 * Math.sin(at / HOUR / 24 * 2 * Math.PI)),
      mostPerHour: 7.2,
      rate: RATE,
      untilMs: WEEK,
    }),
    honest(draw, { perHour: campaign, mostPerHour: 1_200, rate: RATE, untilMs: CAMPAIGN_AT + 6 * HOUR }),
  ),
];

/** A shop's own script, which has fetched one token, and uses it for its visitors for an hour and a half. */
const script = (draw = drawsOf(12)): Arrival[] =>
  [...honest(draw, { perHour: () => 80, mostPerHour: 80, rate: RATE, untilMs: 1.5 * HOUR })]
    .map(({ at, ...visit }) => ({
      ...visit,
      at: SCRIPT_AT + at,
      tokenAt: SCRIPT_AT - 10_000,
      form: "script",
    }));

interface Seen {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What a client sees of a response, except for the ID of the request. */
async function seen(response: Response): Promise<Seen> {
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

async function replay(app: Harness): Promise<Seen[]> {
  const start = app.clock.now();
  const responses: Seen[] = [];
  const { attackMode } = app.services;
  let confirmations: number[] = [];
  let ticked = 0;
  for (const [n, visit] of [...merged(visits(), script())].entries()) {
    const { at, ip, tokenAt = at, confirms, form } = visit;
    await app.clock.advance(start + at - app.clock.now());
    for (const due of confirmations) if (due <= at) attackMode.noteConfirmed("shortcode");
    confirmations = confirmations.filter((due) => due > at);
    for (; ticked * MINUTE <= at; ticked = Math.max(ticked + 1, Math.floor(at / MINUTE))) {
      await attackMode.tick();
    }
    if (!form) responses.push(await seen(await app.fetch(`${NAMESPACE}/form-token?form=footer`)));
    const cfbe_token = app.token(at - tokenAt);
    // Some mistype, and some fill in a field that only bots see.
    const email = n % 25 === 0 ? "nobody" : `v${n}@example.com`;
    const response = await app.post({ email, cfbe_token, ...n % 40 === 7 && { cfbe_hp: "x" } }, { peer: ip });
    responses.push(await seen(response));
    if (confirms !== undefined) confirmations.push(at + confirms);
    assert.equal(attackMode.current(), undefined, `after ${(at / HOUR).toFixed(2)} hours`);
  }
  return responses;
}

Deno.test("a week of honest visitors, with a campaign's rush and a script that reuses one token, gets the responses of a service without attack mode, and begins none", async () => {
  await using app = await harness();
  await using without = await harness({ settings: { privacy: { attackMode: "off" } } });
  const [found, expected] = [await replay(app), await replay(without)];
  assert.deepEqual(found, expected);
  const statuses = Map.groupBy(found, ({ status }) => status);
  assert.ok(statuses.get(200)!.length > 1_500, "signups and tokens");
  assert.ok(statuses.get(400)!.length > 10, "mistyped addresses");
  assert.ok(found.every(({ body }) => !body.includes("challenge")));
});
