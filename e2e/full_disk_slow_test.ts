import assert from "node:assert/strict";
import { NAMESPACE } from "../shared/contract.ts";
import { eventually } from "../dev/testing/eventually.ts";
import { API_TOKEN, runProgram } from "./program.ts";

const TOKEN_AGE_MS = 3_100;
const run = (program: string, ...args: string[]) =>
  new Deno.Command(program, { args, stderr: "null" }).output();

/** Mounts a disk of 6 MB, which only root may do. */
async function mountDisk(): Promise<string | undefined> {
  const disk = await Deno.makeTempDir({ prefix: "cfbe-disk-" });
  const { success } = await run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk).catch(() => ({
    success: false,
  }));
  if (success) return disk;
  await Deno.remove(disk);
}

const disk = Deno.build.os === "linux" && Deno.uid() === 0 ? await mountDisk() : undefined;

Deno.test(
  "while the disk is full, signups are refused with 503 and /readyz says why; once there is room, all goes on",
  {
    ignore: disk === undefined,
  },
  async () => {
    try {
      await using program = await runProgram({ CFBE_KV: `${disk}/cfbe.kv` });
      const { token } = await program.json<{ token: string }>(`${NAMESPACE}/form-token`);
      await new Promise((resolve) => setTimeout(resolve, TOKEN_AGE_MS));
      const signUp = async (email: string) => {
        const response = await fetch(`${program.baseUrl}${NAMESPACE}/subscribe`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ source: "shortcode", email, cfbe_token: token }),
        });
        await response.body?.cancel();
        return response.status;
      };
      const delivered = (email: string) =>
        eventually(
          `${email} is delivered`,
          async () => (await program.status(email))[0]?.record.status === "pending",
        );
      assert.equal(await signUp("before@example.com"), 200);
      await delivered("before@example.com");

      const filler = `${disk}/filler`;
      await run("dd", "if=/dev/zero", `of=${filler}`, "bs=64k");
      assert.equal(await signUp("refused@example.com"), 503);
      const ready = await fetch(`${program.baseUrl}/readyz`);
      assert.deepEqual([ready.status, (await ready.json()).databaseCause], [503, "full"]);

      await Deno.remove(filler);
      assert.equal(await signUp("after@example.com"), 200);
      await delivered("after@example.com");
      assert.deepEqual(await program.status("refused@example.com"), []);
      assert.ok(!program.log().includes(API_TOKEN));
    } finally {
      await run("umount", disk!);
      await Deno.remove(disk!);
    }
  },
);
