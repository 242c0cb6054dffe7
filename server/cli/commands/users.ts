import { Argument, type Command, Option } from "commander";
import type { Passkey } from "../../admin/auth/passkeys/store.ts";
import type { ListedUser } from "../../admin/accounts/actions/users.ts";
import { ROLES } from "../../admin/auth/capability.ts";
import { ClientError, EXIT } from "../client/error.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { confirmed } from "../terminal/io.ts";
import { roleOption, yesOption } from "../options.ts";
import { table, time } from "../terminal/table.ts";
import { userLinkCommands } from "./user_links.ts";

interface Password {
  stdin?: boolean;
}

/** Adds the commands that manage who can sign in to the admin. */
export function userCommands(program: Command, context: Context): void {
  const { io, withService } = context;
  const users = program.command("users").description("manage who can sign in to the admin");
  const stdinOption = () =>
    new Option(
      "--stdin",
      "read the password from standard input (required: arguments stay in the shell history)",
    );

  async function passwordOf({ stdin = false }: Password): Promise<string> {
    if (!stdin) throw new ClientError("Pass the password with --stdin.", EXIT.usage);
    return await io.input();
  }

  users.command("list")
    .description("list the users and their roles")
    .option("--json", "print them as JSON")
    .addHelpText("after", example("users list"))
    .action(({ json = false }: { json?: boolean }) =>
      withService(async (service) => {
        const { data } = await service.act<ListedUser[]>("cfbe_list_users", {});
        if (json) return io.out(JSON.stringify(data, null, 2));
        const rows = data.map(({ name, role, fixed, createdAt, sessions, secondFactor, passkeys }) => [
          name,
          role,
          fixed ? "set by CFBE_ADMIN_PASSWORD" : createdAt === undefined ? "" : time(createdAt),
          String(sessions),
          secondFactor ? "yes" : "no",
          String(passkeys),
        ]);
        io.out(
          rows.length === 0
            ? "No users yet."
            : table(["name", "role", "added", "sessions", "second factor", "passkeys"], rows),
        );
      })
    );

  users.command("add")
    .description("add a user, unless passwords are turned off: then invite them")
    .argument("<name>", "name to sign in with")
    .addOption(roleOption())
    .addOption(stdinOption())
    .addHelpText("after", example("users add grace --role admin --stdin < password.txt"))
    .action((name: string, { role, ...password }: Password & { role: string }) =>
      withService(async (service) => {
        const input = { name, role, password: await passwordOf(password) };
        io.out((await service.act("cfbe_add_user", input)).message);
      }, { createDatabase: true })
    );

  users.command("password")
    .description(
      "set a user's password, which signs them out everywhere; refused while passwords are turned off",
    )
    .argument("<name>", "name of the user")
    .addOption(stdinOption())
    .addHelpText("after", example("users password grace --stdin < password.txt"))
    .action((name: string, options: Password) =>
      withService(async (service) => {
        const input = { name, password: await passwordOf(options) };
        io.out((await service.act("cfbe_set_password", input)).message);
      })
    );

  users.command("enable-passwords")
    .description("turn passwords on again, in case nobody can sign in without")
    .addHelpText("after", example("users enable-passwords"))
    .action(() =>
      withService(async (service) => io.out((await service.act("cfbe_enable_passwords", {})).message))
    );

  accessCommands(users, context);
  userLinkCommands(users, context);
}

/** Adds the commands that change or end a user's access. @param users the command `users` */
function accessCommands(users: Command, { io, withService }: Context): void {
  users.command("role")
    .description("change a user's role")
    .argument("<name>", "name of the user")
    .addArgument(new Argument("<role>", "the new role").choices(ROLES))
    .addHelpText("after", example("users role grace viewer"))
    .action((name: string, role: string) =>
      withService(async (service) => io.out((await service.act("cfbe_set_role", { name, role })).message))
    );

  users.command("sign-out")
    .description("sign a user out on all devices")
    .argument("<name>", "name of the user")
    .addHelpText("after", example("users sign-out grace"))
    .action((name: string) =>
      withService(async (service) => io.out((await service.act("cfbe_sign_out_user", { name })).message))
    );

  users.command("remove-second-factor")
    .description("let a user who has lost their authenticator app sign in without a code")
    .argument("<name>", "name of the user")
    .addHelpText("after", example("users remove-second-factor grace"))
    .action((name: string) =>
      withService(async (service) =>
        io.out((await service.act("cfbe_remove_second_factor", { name })).message)
      )
    );

  users.command("passkeys")
    .description("list a user's passkeys")
    .argument("<name>", "name of the user")
    .option("--json", "print them as JSON")
    .addHelpText("after", example("users passkeys grace"))
    .action((name: string, { json = false }: { json?: boolean }) =>
      withService(async (service) => {
        const { data } = await service.act<Passkey[]>("cfbe_list_passkeys", { name });
        if (json) return io.out(JSON.stringify(data, null, 2));
        const rows = data.map(({ id, title, createdAt, lastUsedAt, site, usable }) => [
          id,
          title,
          time(createdAt),
          lastUsedAt === undefined ? "never" : time(lastUsedAt),
          usable ? site : `${site} (not the public URL)`,
        ]);
        io.out(
          rows.length === 0
            ? `${name} has no passkeys.`
            : table(["id", "name", "added", "last used", "site"], rows),
        );
      })
    );

  users.command("remove-passkey")
    .description("remove a user's passkey, such as that of a lost device, and sign them out everywhere")
    .argument("<name>", "name of the user")
    .argument("<id>", "ID of the passkey, as in the list of passkeys")
    .addHelpText("after", example("users remove-passkey grace 3f9a2c1b"))
    .action((name: string, passkey: string) =>
      withService(async (service) =>
        io.out((await service.act("cfbe_remove_user_passkey", { name, passkey })).message)
      )
    );

  users.command("remove")
    .description(
      "remove a user, who is signed out immediately, and revoke their API tokens with the scope admin",
    )
    .argument("<name>", "name of the user")
    .addOption(yesOption())
    .addHelpText("after", example("users remove grace --yes"))
    .action((name: string, options: { yes?: boolean }) =>
      withService(async (service) => {
        const { data: users } = await service.act<ListedUser[]>("cfbe_list_users", {});
        // The action refuses to remove a user that does not exist.
        if (users.some((user) => user.name === name)) confirmed(io, options, `Remove ${name}?`);
        io.out((await service.act("cfbe_remove_user", { name })).message);
      })
    );
}
