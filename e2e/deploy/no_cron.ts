/** Preloaded: an instance whose cron jobs never run. On Deploy, only one instance runs them. */
Object.defineProperty(Deno, "cron", { value: () => Promise.resolve() });
