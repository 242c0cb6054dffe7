/** Many visitors at once, on two processes that share a KV Connect server. */
import { signUpInBurst, VISITORS } from "../burst.ts";
import { startRemoteKv } from "./remote_kv.ts";

Deno.test(`${VISITORS} visitors who sign up at once on two processes are all accepted, and each gets one email`, async () => {
  await using kv = await startRemoteKv();
  const { DENO_KV_DEFAULT_PATH: address, DENO_KV_ACCESS_TOKEN } = kv.env;
  Deno.env.set("DENO_KV_ACCESS_TOKEN", DENO_KV_ACCESS_TOKEN);
  await signUpInBurst(address, { DENO_KV_ACCESS_TOKEN });
});
