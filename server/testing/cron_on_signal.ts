/** Preloaded: notes each cron that the program declares, and fires it on SIGUSR2, a quarter of an hour later. */
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
// A getter, which an assignment does not replace.
Object.defineProperty(Deno, "cron", { value: cron });
