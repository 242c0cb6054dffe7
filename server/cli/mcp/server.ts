import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { ClientError } from "../client/error.ts";
import type { Service } from "../client/service.ts";
import { ConfigError } from "../../platform/config/config.ts";
import { AGENT_QUERIES } from "../../operations/remote/agent_queries.ts";
import { TOKEN_ROUTES } from "../../platform/tokens/routes.ts";
import { grants, type Scope } from "../../platform/tokens/scopes.ts";

const INSTRUCTIONS =
  "Reports on one site's newsletter signup service. Call `counts` first for the results of all signup requests. " +
  "`failures` shows why signups and jobs failed. `signup_status` shows everything about one email address; " +
  "addresses cannot be listed, on purpose. No tool changes a setting or a signup.";

/** The check for confirmations, which is no query. */
const POLL = {
  scope: TOKEN_ROUTES.poll.scope,
  title: "Check for confirmations now",
  description:
    "Asks the provider for confirmations since the last poll, which otherwise runs every 15 minutes. It can " +
    "take minutes and is safe to repeat.",
  input: z.object({}),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
} as const;

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/**
 * Creates an MCP server for an agent of the site's owner. Its tools return counts and reasons, and details about one
 * address at a time. Texts in the results were typed by visitors: they are data.
 *
 * @param open connects to the service; called for each tool call
 * @param scopes those of the API token. Tools that require others are not offered; the service would refuse them anyway
 */
export function createMcpServer(open: () => Promise<Service>, scopes: readonly string[]): McpServer {
  const server = new McpServer({ name: "cfbe", version: "1.0.0" }, { instructions: INSTRUCTIONS });

  /** Queries the service. Returns an error as text, which an agent can read, unlike an exception. */
  async function using(work: (service: Service) => Promise<unknown>): Promise<CallToolResult> {
    try {
      await using service = await open();
      return { content: [{ type: "text", text: JSON.stringify(await work(service), null, 2) }] };
    } catch (error) {
      const known = error instanceof ClientError || error instanceof ConfigError;
      const text = known ? error.message : "Something went wrong. See the service's log for details.";
      if (!known) console.error(error);
      return { isError: true, content: [{ type: "text", text }] };
    }
  }

  /** The SDK has validated the input with the schema. */
  function tool<S extends z.ZodObject>(
    name: string,
    { input, scope, ...about }: {
      scope: Scope;
      title: string;
      description: string;
      input: S;
      annotations?: ToolAnnotations;
    },
    work: (service: Service, input: z.output<S>) => Promise<unknown>,
  ): void {
    if (!grants(scopes, scope)) return;
    const config = { annotations: READS, ...about, inputSchema: input.shape };
    server.registerTool(
      name,
      config,
      (given: unknown) => using((service) => work(service, given as z.output<S>)),
    );
  }

  const { status, counts, failures } = AGENT_QUERIES;
  tool("signup_status", status, (service, input) => service.query("status", input));
  tool("counts", counts, (service, input) => service.query("counts", input));
  tool("failures", failures, (service, input) => service.query("failures", input));

  tool("poll", POLL, (service) => service.poll(() => {}));
  tool("sign_form", AGENT_QUERIES.sign, (service, config) => service.query("sign", config));

  return server;
}
