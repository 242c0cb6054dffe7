/** An intermediary that sends every write twice, as some do after a broken connection. */
export interface RepeatingProxy extends AsyncDisposable {
  url: string;
}

/**
 * Starts the proxy on a free port of loopback.
 *
 * @param target origin and path that requests are passed on to
 * @returns a server that sends each POST to `target` twice and answers with the second response
 */
export function startRepeatingProxy(target: string): RepeatingProxy {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const headers = { ...Object.fromEntries(request.headers), host: new URL(target).host };
    const body = method === "POST" ? await request.text() : undefined;
    const send = () => fetch(target + pathname + search, { method, headers, ...(body && { body }) });
    if (method === "POST") await (await send()).body?.cancel();
    const answer = await send();
    return new Response(await answer.text(), { status: answer.status, headers: answer.headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
