/** A proxy between the program and the provider. */
export interface Intermediary extends AsyncDisposable {
  url: string;
}

/** Answers one request; `send` passes it on, each call once more. */
export type Way = (request: Request, send: () => Promise<Response>) => Promise<Response>;

/** Sends every write twice, as some proxies do after a broken connection, and answers with the second response. */
export const repeatsWrites: Way = async (request, send) => {
  if (request.method === "POST") await (await send()).body?.cancel();
  return await send();
};

/**
 * Starts a proxy on a free port of loopback.
 *
 * @param target origin and path that requests are passed on to
 */
export function startIntermediary(target: string, way: Way): Intermediary {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const headers = { ...Object.fromEntries(request.headers), host: new URL(target).host };
    const body = method === "GET" ? "" : await request.text();
    const send = () => fetch(target + pathname + search, { method, headers, ...(body && { body }) });
    const answer = await way(request, send);
    return new Response(await answer.text(), { status: answer.status, headers: answer.headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
