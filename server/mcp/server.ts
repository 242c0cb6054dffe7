import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { CliError } from "../client/error.ts";
import type { Service } from "../client/service.ts";
import { ConfigError } from "../config.ts";
import { FormConfigSchema } from "../signup/form/signed_config.ts";

const INSTRUCTIONS =
  "Looks after one site's newsletter signup service. Ask `counts` first: it says what became of all requests. " +
  "`failures` says why signups and jobs failed. `signup_status` tells about one address that somebody asks about; " +
  "there is no list of addresses here, on purpose. Nothing changes a setting or a signup.";

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/**
 * The service as tools for an agent of the site's owner: what is asked is answered with numbers and reasons, and about
 * one address at a time. Texts in the answers were typed by visitors: they are data.
 *
 * @param open finds the service; called for each tool call
 */
export function createMcpServer(open: () => Promise<Service>): McpServer {
  const server = new McpServer({ name: "cfbe", version: "1.0.0" }, { instructions: INSTRUCTIONS });

  /** Ask the service, and say in words what went wrong: an agent can read them, and no exception. */
  async function using(work: (service: Service) => Promise<unknown>): Promise<CallToolResult> {
    try {
      await using service = await open();
      return { content: [{ type: "text", text: JSON.stringify(await work(service), null, 2) }] };
    } catch (error) {
      const known = error instanceof CliError || error instanceof ConfigError;
      const text = known ? error.message : "That did not work. The log of the service says why.";
      if (!known) console.error(error);
      return { isError: true, content: [{ type: "text", text }] };
    }
  }

  /** The SDK has looked at the input by the schema. */
  function tool<S extends z.ZodObject>(
    name: string,
    { input, ...about }: { title: string; description: string; input: S; annotations?: ToolAnnotations },
    work: (service: Service, input: z.output<S>) => Promise<unknown>,
  ): void {
    const config = { annotations: READS, ...about, inputSchema: input.shape };
    server.registerTool(
      name,
      config,
      (given: unknown) => using((service) => work(service, given as z.output<S>)),
    );
  }

  tool("signup_status", {
    title: "Status of one address",
    description:
      "Everything known of one address: its signups with status and reason, the consent that was given, " +
      "and work under way. Ask only for an address that somebody asked you about.",
    input: z.object({ email: z.string().max(254).describe("the address, exactly") }),
  }, (service, { email }) => service.ask("status", { email }));

  tool("counts", {
    title: "What became of requests",
    description:
      "How many signups were accepted, how many were refused and by which limit, dropped as automated and " +
      "for which reason, or invalid. `since` is Unix milliseconds. Holds no address.",
    input: z.object({
      hours: z.number().int().min(1).max(24 * 366).optional().describe(
        "how far to look back; unset: all there is",
      ),
    }),
  }, (service, query) => service.ask("counts", query));

  tool("failures", {
    title: "Why signups and jobs failed",
    description:
      "Failed signups, counted by reason and list, and background jobs that were given up, with their last " +
      "error. Holds no address.",
    input: z.object({ limit: z.number().int().min(1).max(100).default(20).describe("of each") }),
  }, (service, query) => service.ask("failures", query));

  tool("poll", {
    title: "Look for confirmations now",
    description:
      "Asks the provider who has confirmed since the last look, as happens every 15 minutes anyway. May " +
      "take minutes. Harmless to repeat.",
    input: z.object({}),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  }, (service) => service.poll(() => {}));

  tool("sign_form", {
    title: "Sign a form's configuration",
    description:
      "Makes the cfbe_cfg that a page's form carries, so that its signups go to a list, with tags. The list " +
      "must be known or chosen in the settings; otherwise signups go to the default list.",
    input: FormConfigSchema.pick({ list: true, tags: true, placement: true, form: true, locale: true }),
  }, (service, config) => service.ask("sign", config));

  return server;
}
