import type { Announced } from "./accept_server.ts";

/** Counts how often `one` ended within `ms`, so many at a time. @returns times a second */
export async function rate(ms: number, atOnce: number, one: () => Promise<void>): Promise<number> {
  const start = performance.now();
  const end = start + ms;
  let done = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await one();
      if (performance.now() < end) done++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return done * 1000 / ms;
}

/** Signs up somebody new, from an IP of their own, at every call. */
export function newcomers({ url, token }: Announced): () => Promise<void> {
  let count = 0;
  return async () => {
    const n = ++count;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-real-ip": `10.${100 + (n >> 14)}.${100 + (n >> 7 & 127)}.${100 + (n & 127)}`,
      },
      body: JSON.stringify({
        source: "shortcode",
        email: `visitor-${String(n).padStart(8, "0")}@site.example`,
        cfbe_token: token,
      }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`A signup was answered ${response.status} ${text}`);
  };
}
