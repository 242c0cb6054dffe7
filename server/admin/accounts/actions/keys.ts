import { z } from "zod";
import { type ByHand, KeyRefused } from "../../../operations/keys/key_versions.ts";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { type Action, defineAction, type Done } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";

const Input = z.object({ id: z.string().min(1).max(40) });

/** Actions that manage the keys of the installation. Listing them changes nothing, but is an action for the command line. */
export const keyActions: Action[] = [
  defineAction({
    name: "cfbe_list_keys",
    title: "List keys",
    group: "access",
    capability: "tokens",
    input: z.object({}),
    async run({ app }) {
      return { message: "Keys listed.", data: await app.keyVersions.list() };
    },
  }),
  defineAction({
    name: "cfbe_rotate_keys",
    title: "Rotate keys",
    group: "access",
    capability: "tokens",
    asksPassword: true,
    /** The ID of the current key. */
    input: Input,
    target: ({ id }) => id,
    run: ({ app }, { id }) =>
      changed(app.keyVersions.rotate(id), (to) => ({
        message:
          `The keys have been rotated: ${to} signs and encrypts from now on, and what ${id} signed stays valid.`,
        changes: changesBetween({ key: id }, { key: to }),
      })),
  }),
  defineAction({
    name: "cfbe_revoke_key",
    title: "Revoke key",
    group: "access",
    capability: "tokens",
    asksPassword: true,
    input: Input,
    target: ({ id }) => id,
    run: ({ app }, { id }) =>
      changed(app.keyVersions.revoke(id), () => ({
        message: `The key ${id} has been revoked. What it signed is refused from now on.`,
        changes: changesBetween({ key: id }, {}),
      })),
  }),
];

async function changed(change: Promise<{ id: string } | ByHand>, done: (id: string) => Done): Promise<Done> {
  try {
    const result = await change;
    if ("id" in result) return { ...done(result.id), data: result };
    return { message: "Nothing was changed yet: set variables.", tone: "warn", data: result };
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error;
    throw new Refusal(error.code === "unknown_key" ? 404 : 409, error.code, error.message);
  }
}
