/** Preloaded: an instance that the cron never reaches, as all but one. */
Object.defineProperty(Deno, "cron", { value: () => Promise.resolve() });
