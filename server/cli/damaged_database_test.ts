import assert from "node:assert/strict";
import type { Kv } from "../platform/kv/port.ts";
import { cfbe, runningService, withFolder } from "./testing/cli.ts";

/** Overwrites most pages of a file, so that its header can still be read. */
async function damage(file: string) {
  using opened = await Deno.open(file, { read: true, write: true });
  const { size } = await opened.stat();
  for (let from = 8 * 4096; from < size; from += 4096) {
    await opened.seek(from, Deno.SeekMode.Start);
    await opened.write(new Uint8Array(4096));
  }
}

async function fillRows(kv: Kv) {
  for (let row = 0; row < 1_000; row += 50) {
    let tx = kv.atomic();
    for (let next = row; next < row + 50; next += 1) tx = tx.set(["rows", next], "x".repeat(900));
    await tx.commit();
  }
}

async function expectNamed(env: Record<string, string>, file: string) {
  for (const command of [["signups"], ["backup", `${file}.backup`]]) {
    const { code, err } = await cfbe({ env }, ...command);
    assert.equal(code, 1, err);
    assert.match(err, /damaged/, command.join());
    assert.match(err, /restore <file>|doctor --full/);
    assert.doesNotMatch(err, /\n\s+at |owner|disk is not full/);
  }
}

Deno.test("signups and backup name a damaged database, with the way to restore it, whether the service runs or not", () =>
  withFolder(async (shell) => {
    const file = shell["CFBE_KV"]!;
    const env = { CFBE_KV: file };
    {
      await using service = await runningService({ run: false, env });
      await fillRows(service.services.kv);
    }
    {
      await using service = await runningService({ run: false, env });
      await damage(file);
      await expectNamed({ ...shell, ...service.shell }, file);
    }
    await expectNamed(shell, file);
  }));
