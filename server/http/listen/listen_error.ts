import { StartError } from "../../start_error.ts";

/** Ports below this one belong to the superuser on most systems. */
const FIRST_FREE_PORT = 1024;

/** Returns why the program can't listen as a sentence for its operator, or the error itself when nobody can mend it. */
export function listenError(error: unknown, { port, host }: { port: number; host: string }): unknown {
  if (error instanceof Deno.errors.AddrInUse) {
    return new StartError(
      `Port ${port} is in use by another program. Stop that one, or set PORT to a free port.`,
    );
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return new StartError(
      `This machine has no address ${host}. Set CFBE_HOST to 127.0.0.1, or to 0.0.0.0 for all of its addresses.`,
    );
  }
  if (error instanceof Deno.errors.NotCapable) {
    return new StartError(`Deno has no permission to listen on port ${port}. Allow it with --allow-net.`);
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    const below = port < FIRST_FREE_PORT ? ` ${FIRST_FREE_PORT} or above, with a proxy in front` : "";
    return new StartError(`This user may not listen on port ${port}. Set PORT to another port${below}.`);
  }
  return error;
}
