import { stdin } from "node:process";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { openService } from "../client/open.ts";
import { createMcpServer } from "./server.ts";

/** Serve an agent until it closes standard input. Nothing but the protocol goes to standard output. */
export async function serveStdio(env: Record<string, string | undefined>): Promise<void> {
  // Opened for each call: the service may start and stop meanwhile, and must find its database free.
  const server = createMcpServer(() => openService(env));
  const ended = Promise.withResolvers<void>();
  server.server.onclose = () => ended.resolve();
  const transport = new StdioServerTransport();
  await server.connect(transport);
  // The SDK hears data and errors, not the end.
  stdin.once("end", () => void server.close());
  await ended.promise;
}
