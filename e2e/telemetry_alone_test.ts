/**
 * OpenTelemetry of the real server, with an OTLP collector and a provider over HTTP.
 *
 * Runs alone: on a busy machine the exporter of Deno 2.9.6 was seen to stop between two exports, and the process then
 * hangs when it ends.
 */
import assert from "node:assert/strict";
import { startProgram } from "../dev/testing/program.ts";
import { runProgram, waitUntil } from "./program.ts";
import { issueToken } from "../server/platform/keys/form_token.ts";
import { createKeyring } from "../server/platform/keys/keyring.ts";
import { NAMESPACE } from "../shared/contract.ts";

const SALT = "a salt for tests, long enough to be one";
const SOON_MS = 30_000;

interface Point {
  attributes: { key: string; value: { stringValue?: string } }[];
  asDouble?: number;
  asInt?: string | number;
  count?: string | number;
}

interface Metric {
  name: string;
  unit: string;
  sum?: { dataPoints: Point[] };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
}

/** Starts a collector that stores every request, and the newest value of each metric by name and attributes. */
function startCollector() {
  const values = new Map<string, number>();
  const units = new Map<string, string>();
  const bodies: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const body = await request.text();
    bodies.push(body);
    const metrics: Metric[] = (JSON.parse(body).resourceMetrics ?? [])
      .flatMap((resource: { scopeMetrics: { metrics: Metric[] }[] }) => resource.scopeMetrics)
      .flatMap((scope: { metrics: Metric[] }) => scope.metrics);
    for (const { name, unit, sum, gauge, histogram } of metrics) {
      units.set(name, unit);
      for (const point of (sum ?? gauge ?? histogram)?.dataPoints ?? []) {
        const words = point.attributes.map(({ value }) => value.stringValue).sort();
        values.set([name, ...words].join(" "), Number(point.asDouble ?? point.asInt ?? point.count));
      }
    }
    return Response.json({});
  });
  return { server, values, units, bodies, url: `http://127.0.0.1:${server.addr.port}` };
}

/** Asserts that every metric in the documented alerts is among the exported ones. */
async function assertAlertsUse(units: Map<string, string>): Promise<void> {
  const exported = [...units].map(([name, unit]) =>
    name.replaceAll(".", "_") + (unit === "s" ? "_seconds" : "")
  );
  const alerts = await Deno.readTextFile(new URL("../docs/operate/alerts.yml", import.meta.url));
  for (const [name] of alerts.matchAll(/cfbe_[a-z_]+/g)) {
    assert.ok(
      exported.includes(name.replace(/_(total|bucket)$/, "")),
      `an alert uses the unknown metric ${name}`,
    );
  }
}

Deno.test("metrics report signups, deliveries, confirmations and jobs, and no telemetry contains an email address", async () => {
  const collector = startCollector();
  try {
    // The provider is a second server, so that calls to it use HTTP.
    await using other = await startProgram();
    const { project, apiKey, list } = await other.sandbox!.provision();
    const config = await Deno.makeTempFile({ suffix: ".ts" });
    await Deno.writeTextFile(
      config,
      `export default { settings: { general: { defaultList: "${list}" } } };`,
    );
    await using program = await runProgram({
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: other.sandbox!.apiUrl,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
      CFBE_CONFIG: config,
      OTEL_DENO: "true",
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "250",
      CFBE_SALT: SALT,
    });
    const subscribe = (body: object) =>
      program.json(`${NAMESPACE}/subscribe`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: "shortcode", ...body }),
      });
    // Old enough immediately, because the test can't change the server's clock.
    const token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
    await subscribe({ email: "ada.lovelace@example.com", cfbe_token: token });
    await subscribe({ email: "eve@example.com", cfbe_token: token, cfbe_hp: "filled" });
    const confirmed = async () => {
      const { mails } = await (await fetch(`${other.baseUrl}/sandbox/inbox.json`)).json();
      if (mails.length === 0) return false;
      await (await fetch(mails[0].links.confirm)).body?.cancel();
      return true;
    };
    await waitUntil("the confirmation email arrives", SOON_MS, confirmed);
    await program.poll();
    await program.status("ada.lovelace@example.com");

    const expected = {
      "cfbe.signups accepted": 1,
      "cfbe.signups dropped honeypot": 1,
      "cfbe.delivery.duration pending": 1,
      "cfbe.confirmations poll": 1,
      "cfbe.confirmation.delay poll": 1,
      "cfbe.jobs cfbe dead": 0,
      "cfbe.jobs.late cfbe": 0,
    };
    const reported = () =>
      Object.fromEntries(Object.keys(expected).map((name) => [name, collector.values.get(name)]));
    await waitUntil(
      "every metric is reported",
      SOON_MS,
      () => JSON.stringify(reported()) === JSON.stringify(expected),
    )
      .catch(() => assert.deepEqual(reported(), expected));
  } finally {
    await collector.server.shutdown();
  }
  await assertAlertsUse(collector.units);
  // Includes the traces and logs sent at shutdown.
  const all = collector.bodies.join("\n");
  assert.match(all, /resourceSpans/);
  assert.match(all, /resourceLogs/);
  const leaks = all.split("\n").filter((line) => line.includes("lovelace"));
  assert.deepEqual(leaks, []);
});

Deno.test("with telemetry on but no sampler, the server starts and warns that traces would contain addresses", async () => {
  const collector = startCollector();
  try {
    await using program = await runProgram({
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      CFBE_SALT: SALT,
    });
    assert.match(
      program.log(),
      /"level":"warn","event":"telemetry\.contains_addresses".*Set OTEL_TRACES_SAMPLER=/,
    );
  } finally {
    await collector.server.shutdown();
  }
});
