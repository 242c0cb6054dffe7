/** A proxy between cfbe and the provider. */
export interface Intermediary extends AsyncDisposable {
  url: string;
}

/** Handles one request. Each call of `send` passes it on once more. */
export type Interceptor = (request: Request, send: () => Promise<Response>) => Promise<Response>;

/**
 * Sends every write twice, as some proxies do after a broken connection, and returns the second
 * response.
 */
export const repeatWrites: Interceptor = async (request, send) => {
  if (request.method === "POST") await (await send()).body?.cancel();
  return await send();
};

/**
 * Starts a proxy on a free port of the loopback interface.
 *
 * @param target origin and path to which requests are forwarded
 */
export function startIntermediary(target: string, intercept: Interceptor): Intermediary {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const headers = { ...Object.fromEntries(request.headers), host: new URL(target).host };
    const body = method === "GET" ? "" : await request.text();
    const send = () => fetch(target + pathname + search, { method, headers, ...(body && { body }) });
    const response = await intercept(request, send);
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
