/** Exit codes of the command line. */
export const EXIT = { ok: 0, error: 1, usage: 2, notFound: 3 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** An error whose message says what went wrong and what to do. The command line and `mcp` show it unchanged. */
export class ClientError extends Error {
  override name = "ClientError";
  constructor(message: string, readonly exit: Exit = EXIT.error) {
    super(message);
  }
}
