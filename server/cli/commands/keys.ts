import type { Command } from "commander";
import {
  type ByHand,
  type KeyVersion,
  type ListedKeys,
  needText,
  newSalt,
  type OpenSignatures,
} from "../../operations/keys/key_versions.ts";
import { systemRandom } from "../../platform/deps.ts";
import type { Service } from "../client/service.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { yesOption } from "../options.ts";
import { confirmed, type Io } from "../terminal/io.ts";
import { table, time } from "../terminal/table.ts";

const ABOUT_KINDS = `
Kinds:
  signing: form tokens, signed forms, links and sessions
  sealing: encrypts secrets in the database
  identity: names people in markers, limits and opt-outs; never changes`;

/** Adds the commands that manage the keys of an installation. */
export function keyCommands(program: Command, { io, withService }: Context): void {
  const keys = program.command("keys").description("manage the keys that sign and encrypt");

  keys.command("list")
    .description("list the keys, of which kinds they are, since when, and what still uses a previous one")
    .option("--json", "print them as JSON")
    .addHelpText("after", example("keys list") + "\n" + ABOUT_KINDS)
    .action(({ json = false }: { json?: boolean }) =>
      withService(async (service) => {
        const listed = await listKeys(service);
        io.out(json ? JSON.stringify(listed, null, 2) : listText(listed));
      })
    );

  keys.command("rotate")
    .description("sign and encrypt with a new key; what the previous one signed stays valid")
    .addHelpText("after", example("keys rotate"))
    .action(() =>
      withService(async (service) => {
        const { versions } = await listKeys(service);
        const { message, data } = await service.act<Changed>("cfbe_rotate_keys", { id: versions[0]!.id });
        if (!("byHand" in data)) return io.out(message);
        io.err(rotateText(data));
        io.out(`CFBE_SALT=${newSalt(systemRandom)}\n${PREVIOUS}`);
      })
    );

  keys.command("revoke")
    .description("end a previous key: what it signed is refused from then on")
    .argument("<key>", "ID of the key, as listed by `keys list`")
    .addOption(yesOption())
    .addHelpText("after", example("keys revoke 3f9a1c02de --yes"))
    .action((id: string, options: { yes?: boolean }) =>
      withService(async (service) => {
        const { open } = await listKeys(service);
        confirmed(io, options, revokeQuestion(id, open));
        report(io, await service.act<Changed>("cfbe_revoke_key", { id }));
      })
    );
}

type Changed = { id: string } | ByHand;

async function listKeys(service: Service): Promise<ListedKeys> {
  return (await service.act<ListedKeys>("cfbe_list_keys", {})).data;
}

function listText({ versions, open }: ListedKeys): string {
  const rows = versions.map((version) => [
    version.id,
    version.since === undefined ? "before rotations were recorded" : time(version.since),
    kindText(version),
    kindText(version),
    version.isIdentity ? "yes, never changes" : "",
  ]);
  const needs = versions.flatMap(({ id, needs }) =>
    needs.map((need) => `  ${needText(need)}: only ${id} decrypts this`)
  );
  const used = [...open.map((signatures) => `  ${openText(signatures)}`), ...needs];
  return [
    table(["key", "since", "signing", "sealing", "identity"], rows),
    ...(used.length > 0 ? ["", "A previous key is still used by:", ...used] : []),
  ].join("\n");
}

const kindText = ({ state }: KeyVersion) => state;

function openText({ what, until }: OpenSignatures): string {
  return until === undefined ? `${what}, until it is revoked` : `${what}, until ${time(until)}`;
}

function revokeQuestion(id: string, open: readonly OpenSignatures[]): string {
  const list = open.map(({ what }) => what).join(", ");
  return `Revoke the key ${id}? Those that it signed stop working: ${list}.`;
}

const PREVIOUS = "CFBE_SALT_PREVIOUS=<the salt in use now>,<CFBE_SALT_PREVIOUS as it is now, if it is set>";

function rotateText({ shared }: ByHand): string {
  if (!shared) return "The salt is in the variable CFBE_SALT. Set these, and restart cfbe:";
  return "Several processes can use this database. First add the new salt below to the end of CFBE_SALT_PREVIOUS of all " +
    "of them, and restart them. Then set these for all of them, and restart them again:";
}

function report(io: Io, { message, data }: { message: string; data: Changed }): void {
  if (!("byHand" in data)) return io.out(message);
  io.err("The salt of this key is in a variable. Set these for all processes, and restart them:");
  io.out([
    "CFBE_SALT_PREVIOUS=<as it is now, without the salt of this key>",
    ...(data.identity ? ["CFBE_SALT_IDENTITY=<the salt of this key>"] : []),
  ].join("\n"));
}
