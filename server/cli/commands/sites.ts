import { type Command, InvalidArgumentError } from "commander";
import type { AddedSite } from "../../admin/setup/actions/sites.ts";
import { siteUrl } from "../../platform/tokens/sites/connect_request.ts";
import type { ListedSite } from "../../platform/tokens/sites/store.ts";
import { ALL_SCOPES } from "../../platform/tokens/scopes.ts";
import { ClientError, EXIT } from "../client/error.ts";
import type { Service } from "../client/service.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { yesOption } from "../options.ts";
import { confirmed } from "../terminal/io.ts";
import { table, time } from "../terminal/table.ts";

/** Adds the commands that manage connected sites. */
export function siteCommands(program: Command, context: Context): void {
  const { io, withService } = context;
  const sites = program.command("sites").description("manage connected sites, each with its own key");

  sites.command("list")
    .description("list the connected sites, what each may do, and when it was last used")
    .option("--json", "print them as JSON")
    .addHelpText("after", example("sites list"))
    .action(({ json = false }: { json?: boolean }) =>
      withService(async (service) => {
        const all = await listed(service);
        if (json) return io.out(JSON.stringify(all, null, 2));
        const rows = all.map((site) => [
          site.url,
          site.id,
          site.modules.join(" "),
          site.scopes.join(" "),
          time(site.createdAt),
          site.by,
          site.usedAt === undefined ? "never" : time(site.usedAt),
          site.revokedAt === undefined ? "" : time(site.revokedAt),
        ]);
        const titles = ["site", "id", "modules", "scopes", "connected", "by", "last used", "revoked"];
        io.out(rows.length === 0 ? "No connected sites yet." : table(titles, rows));
      })
    );

  addCommand(sites, context);

  sites.command("revoke")
    .description("revoke a site's key and API token, which stop working immediately")
    .argument("<site>", "URL or ID of the site, as listed by `sites list`")
    .addOption(yesOption())
    .addHelpText("after", example("sites revoke https://shop.example --yes"))
    .action((named: string, options: { yes?: boolean }) =>
      withService(async (service) => {
        const { id, url } = siteNamed(await listed(service), named);
        confirmed(io, options, `Revoke ${url} (${id})? Its forms then go to the default list.`);
        io.out((await service.act("cfbe_revoke_site", { id })).message);
      })
    );
}

/** Adds `sites add`. */
function addCommand(sites: Command, { io, withService }: Context): void {
  sites.command("add")
    .description("add a site by hand, and print what its wp-config.php needs, once")
    .argument("<url>", "URL of the site's home page, such as https://shop.example")
    .option("--name <name>", "what the site calls itself")
    .option(
      "--scope <scope>",
      "what its API token may do; can be repeated; by default read and signup",
      scopes,
    )
    .option("--json", "print its key and token as JSON")
    .addHelpText("after", example("sites add https://shop.example"))
    .action((url: string, { name, scope, json }: { name?: string; scope?: string[]; json?: boolean }) =>
      withService(async (service) => {
        const { message, data } = await service.act<AddedSite>("cfbe_add_site", {
          url,
          ...(name !== undefined && { name }),
          ...(scope && { scopes: scope }),
        });
        if (json) return io.out(JSON.stringify(data, null, 2));
        io.err(message);
        // On standard output, so that they can go into a file.
        io.out(`define( 'CFBE_SITE_KEY', '${data.key}' );\ndefine( 'CFBE_API_TOKEN', '${data.token}' );`);
      })
    );
}

async function listed(service: Service): Promise<ListedSite[]> {
  return (await service.act<ListedSite[]>("cfbe_list_sites", {})).data;
}

/** Returns the connected site with this URL or ID. @throws {ClientError} if there is none */
function siteNamed(all: readonly ListedSite[], named: string): ListedSite {
  const wanted = siteUrl(named);
  const found = all.find(({ id, url, revokedAt }) =>
    revokedAt === undefined && (id === named || url === wanted)
  );
  if (!found) throw new ClientError(`There is no connected site ${named}.`, EXIT.notFound);
  return found;
}

function scopes(value: string, before: string[] = []): string[] {
  if ((ALL_SCOPES as string[]).includes(value)) return [...before, value];
  throw new InvalidArgumentError(`Must be one of ${ALL_SCOPES.join(", ")}.`);
}
