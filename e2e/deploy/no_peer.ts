/** Preloaded: an instance whose runtime provides no remote addresses. */
const serve = Deno.serve as unknown as (options: object, handler: Deno.ServeHandler) => Deno.HttpServer;

Deno.serve = ((options: object, handler: Deno.ServeHandler) =>
  serve(
    options,
    (request, info) => handler(request, { completed: info.completed, remoteAddr: {} as Deno.NetAddr }),
  )) as typeof Deno.serve;
