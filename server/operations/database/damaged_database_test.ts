import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { examine } from "../../cli/examine.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { openDenoKv } from "../../platform/kv/engines/deno_kv.ts";
import type { DatabaseCause } from "../../platform/kv/trouble.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { diagnose } from "../doctor/doctor.ts";

/** Tests that a damaged database file is named, by the running program and by the next start. */

const ENV = {
  CFBE_SALT: "a salt for tests, long enough to be one",
  CFBE_API_TOKEN: "a-token-for-the-operator",
};
const ROWS = 1_500;
const PAGE = 4096;

interface Damage {
  name: string;
  /** Damages the file, which the program has open. */
  make(file: string): Promise<void>;
  /** What the running program reports. `none`: it is harmless, and nothing is lost. `row`: only a row is. */
  running: DatabaseCause | "none" | "row";
  /** What the doctor says of the stopped service with `--full`. */
  stopped: RegExp | "nothing";
}

const noise = (bytes: number) => Uint8Array.from({ length: bytes }, (_, index) => (index * 73 + 41) % 251);

async function overwrite(path: string, from: number, bytes: Uint8Array) {
  using file = await Deno.open(path, { write: true });
  await file.seek(from, Deno.SeekMode.Start);
  await file.write(bytes);
}

const pagesOf = async (file: string) => Math.floor((await Deno.stat(file)).size / PAGE);

async function overwriteEachPage(file: string, bytes: Uint8Array) {
  const pages = await pagesOf(file);
  for (let page = 1; page < pages; page += 1) await overwrite(file, page * PAGE, bytes);
}

/** Replaces the file by a database that another program wrote. */
async function replace(file: string) {
  const other = `${file}.other`;
  const kv = await openDenoKv(other);
  await kv.set(["other"], 1);
  kv.close();
  checkpoint(other);
  await Deno.rename(other, file);
}

const DAMAGES: readonly Damage[] = [
  {
    name: "its header is overwritten",
    make: (file) => overwrite(file, 0, noise(100)),
    running: "damaged",
    stopped: /damaged|not a database/,
  },
  {
    name: "it is truncated to nothing",
    make: (file) => Deno.truncate(file, 0),
    running: "damaged",
    stopped: /is missing or empty/,
  },
  {
    name: "it is truncated in the middle",
    make: async (file) => Deno.truncate(file, Math.floor(await pagesOf(file) / 2) * PAGE),
    running: "damaged",
    stopped: /is damaged/,
  },
  {
    name: "pages of it are zeroed",
    make: (file) => overwriteEachPage(file, new Uint8Array(PAGE)),
    running: "damaged",
    stopped: /is damaged/,
  },
  {
    name: "it has random bytes in the middle",
    make: (file) => overwriteEachPage(file, noise(200)),
    running: "damaged",
    stopped: /is damaged/,
  },
  {
    name: "it has become another kind of file",
    make: async (file) => await Deno.writeFile(file, noise(8 * PAGE)),
    running: "damaged",
    stopped: /not a database|is damaged/,
  },
  {
    name: "the text of its values is overwritten",
    async make(file) {
      const bytes = await Deno.readFile(file);
      const text = new TextDecoder("latin1").decode(bytes);
      for (const { index } of text.matchAll(/"padding"/g)) await overwrite(file, index, noise(1));
    },
    running: "damaged",
    stopped: /values can't be read/,
  },
  {
    name: "the text of one of its values is overwritten",
    make(file) {
      using db = new DatabaseSync(file);
      db.exec("UPDATE kv SET v = X'7b' WHERE k = (SELECT k FROM kv WHERE length(v) > 800 LIMIT 1)");
      return Promise.resolve();
    },
    running: "row",
    stopped: /values can't be read/,
  },
  {
    name: "its log is removed",
    make: (file) => Deno.remove(`${file}-wal`),
    running: "io",
    stopped: "nothing",
  },
  {
    name: "its log is overwritten when the file contains all of it",
    make(file) {
      checkpoint(file, "PASSIVE");
      return overwrite(`${file}-wal`, 0, noise(2_000));
    },
    running: "none",
    stopped: "nothing",
  },
  {
    name: "the index of its log is overwritten",
    make: (file) => overwrite(`${file}-shm`, 0, noise(136)),
    running: "none",
    stopped: "nothing",
  },
  { name: "it is removed", make: (file) => Deno.remove(file), running: "missing", stopped: /no database/i },
  { name: "another database has its path", make: replace, running: "replaced", stopped: "nothing" },
];

/** Moves everything from the log into the file. A passive one leaves it in the log as well. */
function checkpoint(file: string, mode: "TRUNCATE" | "PASSIVE" = "TRUNCATE") {
  using db = new DatabaseSync(file);
  db.exec(`PRAGMA wal_checkpoint(${mode})`);
}

/** Starts the program with many rows in its file, of which it has not read any yet. */
async function startWithRows(file: string): Promise<TestProgram> {
  const env = { ...ENV, CFBE_KV: file };
  const before = await startProgram({ run: false, env });
  const { kv } = before.services;
  for (let row = 0; row < ROWS; row += 50) {
    let tx = kv.atomic();
    for (let next = row; next < row + 50; next += 1) {
      tx = tx.set(["rows", next], { padding: "x".repeat(800) });
    }
    await tx.commit();
  }
  await before[Symbol.asyncDispose]();
  checkpoint(file);
  const program = await startProgram({ run: false, env });
  await program.services.databaseHealth.probeNow();
  return program;
}

async function rowsIn({ services: { kv } }: TestProgram): Promise<number> {
  const rows = listReadable(kv, { prefix: ["rows"] });
  return (await Array.fromAsync(rows).catch(() => [])).filter(({ value }) => value !== undefined).length;
}

async function readyz({ baseUrl }: TestProgram) {
  const response = await fetch(`${baseUrl}/readyz`);
  return { status: response.status, ...await response.json() };
}

for (const { name, make, running, stopped } of DAMAGES) {
  const promise = running === "none"
    ? "nothing is lost, and nothing is reported"
    : running === "row"
    ? "the alert and the doctor name it, and the service stays ready for everybody else"
    : "readyz, the alert and the doctor name the damage of the database";
  Deno.test(`if ${name}, ${promise}`, async () => {
    const folder = await Deno.makeTempDir({ prefix: "cfbe-damaged-" });
    const file = `${folder}/cfbe.kv`;
    try {
      {
        await using program = await startWithRows(file);
        const { services } = program;
        assert.equal((await readyz(program)).status, 200);
        await make(file);
        // As once a minute.
        await services.databaseHealth.probeNow();
        const rows = await rowsIn(program);
        await services.databaseAlert.check();
        const ready = await readyz(program);
        const [alert] = services.databaseAlert.open();
        const { findings } = await diagnose(services, { fetch });
        const found = findings.find(({ id }) => id.startsWith("database."));
        if (running === "none") {
          assert.deepEqual([ready.status, alert, found, rows], [200, undefined, undefined, ROWS]);
        } else if (running === "row") {
          assert.deepEqual([ready.status, rows], [200, ROWS - 1]);
          for (const problem of [alert?.problem, found]) {
            assert.match(problem!.what, /A row of .* can't be read/);
            assert.match(problem!.todo!, /doctor --full.*restore <file>/s);
          }
        } else {
          assert.deepEqual([ready.status, ready.database, ready.databaseCause], [503, false, running]);
          assert.ok(alert && found, JSON.stringify(findings));
          assert.ok(alert.problem.what.includes(folder) && found.what.includes(folder));
          assert.match(alert.problem.todo, /restore|backup/);
          if (running === "damaged") assert.match(found.what + found.todo, /damaged.*`.*restore <file>`/s);
        }
      }
      const after = await examine({ ...ENV, CFBE_KV: file, PORT: "1" }, { full: true });
      const texts = after.findings.filter(({ id }) => !/^(address|service\.not_running)/.test(id)).map((
        { what },
      ) => what);
      if (stopped === "nothing") assert.deepEqual(texts, []);
      else assert.match(texts.join("\n"), stopped);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
