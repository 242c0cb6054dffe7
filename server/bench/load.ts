import type { Announced } from "./accept_server.ts";
import { connect, type Connection } from "./connection.ts";

/**
 * Runs the callers concurrently for `ms`, each one call after the other, and returns the number of completed
 * calls.
 */
export async function rate(ms: number, callers: readonly (() => Promise<void>)[]): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  await Promise.all(callers.map(async (call) => {
    while (performance.now() < end) {
      await call();
      if (performance.now() < end) done++;
    }
  }));
  return done * 1000 / ms;
}

/** Returns visitors with one connection each, who sign up repeatedly, each time with a new address and a new IP. */
export async function newcomers({ url, token }: Announced, atOnce: number) {
  const connections: Connection[] = await Promise.all(
    Array.from({ length: atOnce }, () => connect(new URL(url))),
  );
  let count = 0;
  const signUp = async (connection: Connection) => {
    const n = ++count;
    const ip = `10.${100 + (n >> 14)}.${100 + (n >> 7 & 127)}.${100 + (n & 127)}`;
    const email = `visitor-${String(n).padStart(8, "0")}@site.example`;
    const body = JSON.stringify({ source: "shortcode", email, cfbe_token: token });
    const response = await connection.post(body, `X-Real-IP: ${ip}\r\n`);
    if (!response.startsWith("HTTP/1.1 200 ")) throw new Error(`A signup got the response ${response}`);
  };
  return {
    callers: connections.map((connection) => () => signUp(connection)),
    leave: () => connections.forEach((connection) => connection.close()),
  };
}
