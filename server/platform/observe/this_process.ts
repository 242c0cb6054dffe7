/** Returns the machine and the process, for people. The host is its name, if the process may read it. */
export function thisProcess(): { host: string; pid: number } {
  const { pid } = Deno;
  try {
    return { host: Deno.hostname(), pid };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return { host: "unknown host", pid };
  }
}
