import type { Command } from "commander";
import type { ActionName } from "../../admin/frame/action.ts";
import type { CreatedLink } from "../../admin/accounts/actions/password_links.ts";
import type { PasswordLink } from "../../admin/auth/password_link.ts";
import type { Service } from "../client/service.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { roleOption } from "../options.ts";
import { table, time } from "../terminal/table.ts";

/** Adds the commands for links with which people choose a password. @param users the command `users` */
export function userLinkCommands(users: Command, { io, withService }: Context): void {
  async function printLink(service: Service, action: ActionName, input: Record<string, string>) {
    const { message, data } = await service.act<CreatedLink>(action, input);
    io.out(`${message} It works once, until ${time(data.expiresAt)}:`);
    io.out(data.link);
  }

  users.command("invite")
    .description(
      "print a link with which someone creates an account and chooses the password, or adds a passkey while passwords are turned off, within 72 hours",
    )
    .argument("<name>", "name to sign in with")
    .addOption(roleOption())
    .addHelpText("after", example("users invite grace --role admin"))
    .action((name: string, { role }: { role: string }) =>
      withService((service) => printLink(service, "cfbe_invite_user", { name, role }), {
        createDatabase: true,
      })
    );

  users.command("reset")
    .description(
      "print a link with which a user chooses a new password, or adds a passkey while passwords are turned off, within 24 hours",
    )
    .argument("<name>", "name of the user")
    .addHelpText("after", example("users reset grace"))
    .action((name: string) => withService((service) => printLink(service, "cfbe_reset_password", { name })));

  users.command("links")
    .description("list the invitations and new-password links that have not been used")
    .option("--json", "print them as JSON")
    .addHelpText("after", example("users links"))
    .action(({ json = false }: { json?: boolean }) =>
      withService(async (service) => {
        const { data } = await service.act<PasswordLink[]>("cfbe_list_links", {});
        if (json) return io.out(JSON.stringify(data, null, 2));
        const rows = data.map((
          { kind, name, role, by, expiresAt },
        ) => [name, kind, role, by, time(expiresAt)]);
        const titles = ["name", "kind", "role", "created by", "valid until"];
        io.out(rows.length === 0 ? "No open links." : table(titles, rows));
      })
    );

  users.command("revoke")
    .description("revoke the open invitation or new-password link for a name")
    .argument("<name>", "name the link is for")
    .addHelpText("after", example("users revoke grace"))
    .action((name: string) =>
      withService(async (service) => io.out((await service.act("cfbe_revoke_link", { name })).message))
    );
}
