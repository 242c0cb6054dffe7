import { type Command, InvalidArgumentError } from "commander";
import type { Link } from "../../platform/audit/row.ts";
import type { ChainProblem, ChainReport } from "../../platform/audit/verify.ts";
import { counted } from "../../platform/words/counted.ts";
import { ClientError } from "../client/error.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { time } from "../terminal/table.ts";

const ABOUT_VERIFY = `
Each entry contains a keyed hash of itself and of the entry before it. Whoever has the database and the salt can
compute all of them again: note the newest link elsewhere, and pass it with --expect the next time.`;

/** Adds the commands that export and verify the audit log. */
export function auditCommands(program: Command, { io, withService }: Context): void {
  const audit = program.command("audit").description("export and verify the log of who did what");

  audit.command("export")
    .description("print the whole log, newest entry first, one entry a line as JSON")
    .addHelpText("after", example("audit export > audit.jsonl"))
    .action(() =>
      withService(async (service) => {
        let before: string | undefined;
        do {
          const page = await service.query("audit", { limit: 500, ...(before !== undefined && { before }) });
          for (const row of page.rows) io.out(JSON.stringify(row));
          before = page.before;
        } while (before !== undefined);
      })
    );

  audit.command("verify")
    .description("verify that no entry of the log was changed, removed or inserted")
    .option("--expect <link>", "the newest link of an earlier run, as it was printed", link)
    .option("--json", "print the report as JSON")
    .addHelpText("after", example("audit verify", "audit verify --expect 120:Zm9v…") + "\n" + ABOUT_VERIFY)
    .action(({ expect: expected, json }: { expect?: Link; json?: boolean }) =>
      withService(async (service) => {
        const report = await service.query("audit_check", expected ? { expected } : {});
        io.out(json ? JSON.stringify(report, null, 2) : textOf(report));
        if (report.found > 0) throw new ClientError("The audit log is not what was written.");
      })
    );
}

function link(text: string): Link {
  const [, n, hash] = /^([1-9]\d{0,14}):([\w-]{43})$/.exec(text) ?? [];
  if (n === undefined || hash === undefined) {
    throw new InvalidArgumentError("It must be a link that `audit verify` has printed, such as 120:Zm9v….");
  }
  return { n: Number(n), hash };
}

function textOf({ entries, earlier, counting, newest, problems, found }: ChainReport): string {
  return [
    `${counted(entries, "entry", "entries")} verified.`,
    ...earlier > 0
      ? [`Not verified: ${counted(earlier, "entry", "entries")} from before the chain began.`]
      : [],
    ...counting > 0 ? [`Not verified: ${counted(counting, "row")} that count the actions of an hour.`] : [],
    ...problems.map(problemText),
    ...found > problems.length ? [`${found - problems.length} more problems.`] : [],
    ...newest ? [`Newest link: ${newest.n}:${newest.hash}`] : [],
  ].join("\n");
}

function problemText({ kind, from, to, at }: ChainProblem): string {
  const which = from === undefined ? "An entry" : from === to ? `Entry ${from}` : `Entries ${from} to ${to}`;
  const when = at === undefined ? "" : ` of ${time(at)}`;
  const is = from !== undefined && from !== to ? "are" : "is";
  switch (kind) {
    case "changed":
      return `${which}${when} was changed.`;
    case "missing":
      return `${which} ${is} missing. After a restore, that can be what was written while the backup was made.`;
    case "added":
      return `${which}${when} was not written by this version of cfbe.`;
    case "other_chain":
      return `${which} ${is} not the one that you expect: the log was replaced, or computed again.`;
  }
}
