import { StartError } from "../../config/start_error.ts";

/** On most systems only the superuser may listen on a port below this one. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/** Returns a `StartError` that says what to do if the operator can fix the cause, otherwise the error itself. */
export function listenError(error: unknown, { port, host }: { port: number; host: string }): unknown {
  if (error instanceof Deno.errors.AddrInUse) {
    return new StartError(
      `Port ${port} is in use by another program. Stop that program, or set PORT to a free port.`,
    );
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return new StartError(
      `This machine does not have the address ${host}. Set CFBE_HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`,
    );
  }
  if (error instanceof Deno.errors.NotCapable) {
    return new StartError(`Deno has no permission to listen on port ${port}. Allow it with --allow-net.`);
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    const below = port < FIRST_UNPRIVILEGED_PORT
      ? ` ${FIRST_UNPRIVILEGED_PORT} or above, with a proxy in front`
      : "";
    return new StartError(`This user may not listen on port ${port}. Set PORT to another port${below}.`);
  }
  return error;
}
