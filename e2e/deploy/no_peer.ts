/** Preloaded: an instance whose runtime hands over no address of the other end. */
const serve = Deno.serve as unknown as (options: object, handler: Deno.ServeHandler) => Deno.HttpServer;

Deno.serve = ((options: object, handler: Deno.ServeHandler) =>
  serve(
    options,
    (request, info) => handler(request, { completed: info.completed, remoteAddr: {} as Deno.NetAddr }),
  )) as typeof Deno.serve;
