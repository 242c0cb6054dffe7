/**
 * Preload module: records each cron that the program declares, and runs it on SIGUSR2 with the clock 15
 * minutes ahead.
 */
const now = Date.now;
const note = (event: Record<string, unknown>) => console.error(JSON.stringify(event));

function cron(name: string, schedule: string, handler: () => Promise<void>) {
  note({ event: "cron", name, schedule });
  Deno.addSignalListener("SIGUSR2", () => {
    Date.now = () => now() + 15 * 60_000;
    handler();
  });
  return Promise.resolve();
}
// `Deno.cron` is a getter, which an assignment does not replace.
Object.defineProperty(Deno, "cron", { value: cron });
