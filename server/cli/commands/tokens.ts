import { type Command, InvalidArgumentError } from "commander";
import type { CreatedToken } from "../../admin/accounts/actions/api_tokens.ts";
import { ALL_SCOPES, SCOPES } from "../../platform/tokens/scopes.ts";
import type { ListedToken } from "../../platform/tokens/store.ts";
import { ClientError, EXIT } from "../client/error.ts";
import type { Service } from "../client/service.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { yesOption } from "../options.ts";
import { table, time } from "../terminal/table.ts";
import { confirmed } from "../terminal/io.ts";

const SCOPE_LIST = `\nScopes:\n${
  Object.entries(SCOPES).map(([name, about]) => `  ${name}: ${about}`).join("\n")
}`;
const NEVER = "never";

/** Adds the commands that manage API tokens. */
export function tokenCommands(program: Command, context: Context): void {
  const { io, withService } = context;
  const tokens = program.command("tokens").description("manage API tokens, each with its own scopes");

  tokens.command("list")
    .description("list the API tokens, their scopes, and when each was last used")
    .option("--json", "print them as JSON")
    .addHelpText("after", example("tokens list"))
    .action(({ json = false }: { json?: boolean }) =>
      withService(async (service) => {
        const all = await listed(service);
        if (json) return io.out(JSON.stringify(all, null, 2));
        const rows = all.map((token) => [
          token.name,
          token.id,
          token.scopes.join(" "),
          time(token.createdAt),
          token.by,
          expiryText(token),
          token.usedAt === undefined ? NEVER : time(token.usedAt),
        ]);
        const titles = ["name", "id", "scopes", "created", "by", "expires", "last used"];
        io.out(rows.length === 0 ? "No API tokens yet." : table(titles, rows));
      })
    );

  addCommand(tokens, context);

  tokens.command("revoke")
    .description("revoke an API token, which stops working immediately")
    .argument("<token>", "name or ID of the token, as listed by `tokens list`")
    .addOption(yesOption())
    .addHelpText("after", example("tokens revoke shop --yes"))
    .action((named: string, options: { yes?: boolean }) =>
      withService(async (service) => {
        const { id, name } = tokenNamed(await listed(service), named);
        confirmed(io, options, `Revoke the API token ${name} (${id})? What uses it stops working.`);
        io.out((await service.act("cfbe_revoke_token", { id })).message);
      })
    );
}

/** Adds `tokens add`. */
function addCommand(tokens: Command, { io, withService }: Context): void {
  tokens.command("add")
    .description("create an API token and print it, once: it is stored only as a hash")
    .argument("<name>", "what the token is for, such as shop")
    .requiredOption("--scope <scope>", "what the token may do; can be repeated", scopes)
    .option("--expires <date>", "last day on which it works, such as 2027-11-30, or never; by default a year")
    .option("--json", "print it with its ID as JSON")
    .addHelpText("after", SCOPE_LIST)
    .addHelpText("after", example("tokens add shop --scope signup --expires 2027-11-30"))
    .action((name: string, { scope, expires, json }: { scope: string[]; expires?: string; json?: boolean }) =>
      withService(async (service) => {
        const until = expires === undefined ? {} : { expires: expires === NEVER ? null : expires };
        const { message, data } = await service.act<CreatedToken>("cfbe_add_token", {
          name,
          scopes: scope,
          ...until,
        });
        if (json) return io.out(JSON.stringify(data, null, 2));
        // The token alone on standard output, so that it can go into a file.
        io.err(message);
        io.out(data.token);
      })
    );
}

async function listed(service: Service): Promise<ListedToken[]> {
  return (await service.act<ListedToken[]>("cfbe_list_tokens", {})).data;
}

function expiryText({ expiresAt, isExpired }: ListedToken): string {
  if (expiresAt === undefined) return NEVER;
  return isExpired ? `expired ${time(expiresAt)}` : time(expiresAt);
}

/** Returns the token with this name or ID. @throws {ClientError} if there is none, or if two fit */
function tokenNamed(all: readonly ListedToken[], named: string): ListedToken {
  const found = all.filter(({ id, name }) => id === named || name === named);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new ClientError(`There is no API token ${named}.`, EXIT.notFound);
  throw new ClientError(`${named} is the name of one token and the ID of another. Revoke it in the admin.`);
}

function scopes(value: string, before: string[] = []): string[] {
  if ((ALL_SCOPES as string[]).includes(value)) return [...before, value];
  throw new InvalidArgumentError(`Must be one of ${ALL_SCOPES.join(", ")}.`);
}
