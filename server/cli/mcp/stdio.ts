import { stdin } from "node:process";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { openService } from "../client/open.ts";
import { scopesOf } from "../client/token_scopes.ts";
import { createMcpServer } from "./server.ts";

/** Serves an agent until it closes standard input. Only the protocol is written to standard output. */
export async function serveStdio(env: Record<string, string | undefined>): Promise<void> {
  // Opened for each call, because the service may start meanwhile and then needs the database for itself.
  const server = createMcpServer(() => openService(env), await scopesOf(env));
  const ended = Promise.withResolvers<void>();
  server.server.onclose = () => ended.resolve();
  const transport = new StdioServerTransport();
  await server.connect(transport);
  // The SDK handles data and errors, but not the end of the input.
  stdin.once("end", () => void server.close());
  await ended.promise;
}
