import assert from "node:assert/strict";
import { type JobResult, runJobs } from "./jobs.ts";

const bash = (name: string, script: string, limitMs?: number) => ({
  ...{ name, command: "bash", args: ["-c", script] },
  ...(limitMs !== undefined && { limitMs }),
});

Deno.test("a job that hangs, and one that leaves a program behind with its output open, end with what they printed", async () => {
  const results: JobResult[] = [];
  const deaf = "trap '' INT; echo begun; while true; do sleep 1; done";
  const jobs = [bash("hangs", deaf, 300), bash("leaves", "echo done; sleep 1000 & exit 3", 60_000)];
  await runJobs(jobs, 2, (result) => results.push(result), 200);
  const ends = results.map(({ job, code, output }) => [job.name, code, output]).toSorted();
  assert.deepEqual(ends, [["hangs", 137, "begun\n"], ["leaves", 3, "done\n"]]);
});

Deno.test("a job that says what has not ended after SIGINT is not killed before", async () => {
  const results: JobResult[] = [];
  const script = "trap 'echo not ended: x; exit 1' INT; echo begun; while true; do sleep 0.05; done";
  await runJobs([bash("hangs", script, 300)], 1, (result) => results.push(result));
  assert.deepEqual(results.map(({ code, output }) => [code, output]), [[1, "begun\nnot ended: x\n"]]);
});

Deno.test("of a lane, only as many jobs as it allows run at once, and those of other lanes do not wait for it", async () => {
  const results: string[] = [];
  const lane = { name: "narrow", atATime: 1 };
  const folder = await Deno.makeTempDir();
  const alone =
    `mkdir ${folder}/alone || exit 1; while [ ! -e ${folder}/free ]; do sleep 0.01; done; rmdir ${folder}/alone`;
  const jobs = [
    { ...bash("first", alone, 60_000), lane },
    { ...bash("second", alone, 60_000), lane },
    bash("free", `touch ${folder}/free`, 60_000),
  ];
  await runJobs(jobs, 3, ({ job, code }) => results.push(`${job.name} ${code}`));
  await Deno.remove(folder, { recursive: true });
  assert.deepEqual(results, ["free 0", "first 0", "second 0"]);
});
