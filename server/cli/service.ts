import { bootstrap } from "../bootstrap.ts";
import { type Config, parseConfig, pathPrefix } from "../config.ts";
import type { PollReport } from "../confirm/poll.ts";
import { systemRandom } from "../deps.ts";
import { loadSecrets } from "../keys/secrets_file.ts";
import { DatabaseInUse } from "../kv/open.ts";
import { type SignupStatus, statusOf } from "../ops/operations.ts";
import { type FormConfig, signFormConfig } from "../signup/form_config.ts";

/** What went wrong, in a sentence that says what to do. */
export class CliError extends Error {
  override name = "CliError";
}

/** What commands ask for, wherever it is answered. */
export interface Service extends AsyncDisposable {
  /** @throws {CliError} for what is no address */
  status(email: string): Promise<SignupStatus[]>;
  sign(config: FormConfig): Promise<string>;
  poll(progress: (report: PollReport) => void): Promise<PollReport>;
  /** @returns how many signups are delivered again */
  activate(): Promise<number>;
  /** @returns how many jobs were cancelled */
  deactivate(): Promise<number>;
}

const PROBE_MS = 2_000;

/**
 * Find the service: the one that runs, spoken to over HTTP with the API token, for it owns the embedded database;
 * or, when none runs, the database itself.
 */
export async function openService(env: Record<string, string | undefined>): Promise<Service> {
  const config = parseConfig(env);
  const address = await runningAt(config);
  if (address !== undefined) {
    const { apiToken } = await loadSecrets(config, systemRandom);
    return remote(address, apiToken);
  }
  if (config.kv === ":memory:") {
    throw new CliError(`No service answers at ${config.baseUrl}, and a database in memory is nowhere else.`);
  }
  try {
    return await local(env);
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new CliError(
      `A service has the database ${config.kv} open but does not answer at ${config.baseUrl}. ` +
        "Set PORT and CFBE_BASE_URL here as you did for it.",
    );
  }
}

/** The public address may lead through a proxy that knows nothing of this machine: its own port is asked too. */
async function runningAt(config: Config): Promise<string | undefined> {
  for (const address of [`http://127.0.0.1:${config.port}${pathPrefix(config.baseUrl)}`, config.baseUrl]) {
    try {
      const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) });
      const body = await response.json();
      if (response.ok && body?.service === "cfbe") return address;
    } catch {
      // Nobody there, or somebody else.
    }
  }
}

function remote(address: string, token: string): Service {
  async function call(method: "GET" | "POST", path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${address}/ops${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const told = await response.json().then((json) => String(json?.error ?? ""), () => "");
    const advice = response.status === 401 ? " Set CFBE_API_TOKEN here as it is set for the service." : "";
    throw new CliError(`${address} answered ${response.status}. ${told}${advice}`);
  }
  return {
    status: async (email) => await (await call("POST", "/status", { email })).json(),
    sign: async (config) => (await (await call("POST", "/sign", config)).json()).cfg,
    activate: async () => (await (await call("POST", "/activate")).json()).delivered,
    deactivate: async () => (await (await call("POST", "/deactivate")).json()).cancelled,
    async poll(progress) {
      const { body } = await call("POST", "/poll");
      const lines = body!.pipeThrough(new TextDecoderStream()).pipeThrough(lineStream());
      let last: (PollReport & { done?: boolean }) | undefined;
      for await (const line of lines) {
        last = JSON.parse(line);
        progress(last!);
      }
      if (!last?.done) throw new CliError("The service stopped in the middle of the poll.");
      const { done: _, ...report } = last;
      return report;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function local(env: Record<string, string | undefined>): Promise<Service> {
  const program = await bootstrap(env, { write: () => {} });
  const { services } = program;
  return {
    async status(email) {
      const status = await statusOf(services, email);
      if (!status) throw new CliError(`${email} is not an e-mail address.`);
      return status;
    },
    sign: (config) => Promise.resolve(signFormConfig(services.keyring, config)),
    poll: (progress) => services.poll.run(undefined, progress),
    activate: () => services.activation.activate(),
    deactivate: () => services.activation.deactivate(),
    [Symbol.asyncDispose]: () => program.close(0),
  };
}

function lineStream(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) if (line !== "") controller.enqueue(line);
    },
  });
}
