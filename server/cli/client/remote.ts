import type { PollReport } from "../../signup/confirm/poll.ts";
import type { ActionOutcome } from "../../admin/frame/run_action.ts";
import type { DryRunAnswer, MoveLine } from "../../operations/remote/move_routes.ts";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import { CLIENT_HEADER, COMMAND_LINE } from "../../platform/http/token_actor.ts";
import { networkMessage } from "../../platform/http/network_message.ts";
import type { OwnToken } from "../../operations/remote/routes.ts";
import { TOKEN_ROUTES } from "../../platform/tokens/routes.ts";
import { ClientError, EXIT } from "./error.ts";
import { refusal } from "./refusal.ts";
import type { Service } from "./service.ts";

/** Actions whose input may be larger than `/admin/ajax` accepts. */
const WITH_FILES: readonly string[] = ["cfbe_import_form"];

/** A running service. */
export interface RemoteService extends Service {
  /** Returns what the token may do. */
  ownToken(): Promise<OwnToken>;
}

/** Returns the running service, called over HTTP. */
export function remote(address: string, token: string): RemoteService {
  const headers = {
    authorization: `Bearer ${token}`,
    [CLIENT_HEADER]: COMMAND_LINE,
    accept: "application/json",
    "content-type": "application/json",
  };

  const send = (path: string, init: RequestInit) =>
    transport(address + path, { ...init, headers }).catch((error) => {
      throw new ClientError(`${address} can no longer be reached: ${networkMessage(error)}`);
    });

  async function call(method: "GET" | "POST", path: string, body?: unknown): Promise<Response> {
    const response = await send(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    if (response.ok) return response;
    const message = await response.json().then(
      (json) => String(json?.error ?? json?.message ?? ""),
      () => "",
    );
    if (response.status === 400) throw new ClientError(message, EXIT.usage);
    const advice = response.status === 401 ? " Set CFBE_API_TOKEN to the value used by the service." : "";
    throw new ClientError(`${address} responded with ${response.status}. ${message}${advice}`);
  }

  /** Returns why the service's database fails, if it does. */
  async function databaseCause(): Promise<string | undefined> {
    const ready = await send("/readyz", {}).then((response) => response.json()).catch(() => undefined);
    const cause = ready?.databaseCause;
    return typeof cause === "string"
      ? `its database fails (${cause}). Run \`${cfbeCommand()} doctor --full\`.`
      : undefined;
  }

  /** Passes a response body on. If the connection breaks, the error names the service. */
  function complete(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
    return ReadableStream.from((async function* () {
      try {
        yield* body;
      } catch (error) {
        const why = await databaseCause() ?? networkMessage(error);
        throw new ClientError(`${address} stopped before its response was complete: ${why}`);
      }
    })());
  }

  async function* linesOf<Line>(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Line> {
    const lines = complete(body).pipeThrough(new TextDecoderStream()).pipeThrough(lineStream());
    for await (const line of lines) yield JSON.parse(line);
  }

  return {
    address,
    query: async (name, input) => await (await call("POST", `/ops/${name}`, input)).json(),
    async act(action, input) {
      const path = WITH_FILES.includes(action) ? "/admin/upload" : "/admin/ajax";
      const response = await send(`${path}?action=${encodeURIComponent(action)}`, {
        method: "POST",
        body: JSON.stringify({ ...input, action }),
      });
      const outcome = await response.json().catch(() => undefined) as ActionOutcome | undefined;
      if (!outcome) {
        throw new ClientError(`${address} responded with ${response.status} and a body that is not JSON.`);
      }
      if (!outcome.ok) throw refusal({ ...outcome, status: response.status });
      return { message: outcome.message, data: outcome.data as never };
    },
    async poll(progress) {
      const { body } = await call("POST", "/ops/poll");
      let last: (PollReport & { done?: boolean }) | undefined;
      for await (const line of linesOf<PollReport & { done?: boolean }>(body!)) progress(last = line);
      if (!last?.done) throw new ClientError("The service stopped during the poll.");
      const { done: _, ...report } = last;
      return report;
    },
    async moveDatabase(to, progress) {
      const { body } = await call("POST", "/ops/move-database", { to });
      for await (const line of linesOf<MoveLine>(body!)) {
        if ("moved" in line) return line.moved;
        if ("failed" in line) throw new ClientError(line.failed);
        progress(line);
      }
      throw new ClientError(
        "The service stopped during the move. Start it, and run the command again to go on.",
      );
    },
    async planDatabaseMove(to) {
      const answer: DryRunAnswer = await (await call("POST", "/ops/move-database", { to, dryRun: true }))
        .json();
      if ("failed" in answer) throw new ClientError(answer.failed);
      return answer.planned;
    },
    cancelDatabaseMove: async () => await (await call("POST", "/ops/cancel-database-move")).json(),
    async ownToken() {
      const { method, path } = TOKEN_ROUTES.ownToken;
      return await (await call(method, path)).json();
    },
    backup: async () => complete((await call("GET", "/ops/backup")).body!),
    [Symbol.asyncDispose]: async () => {},
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
