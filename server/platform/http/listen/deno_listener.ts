import { peerOf } from "../visitor/peer.ts";
import type { Listener, ListenOptions } from "./listener.ts";

/** Listens through `Deno.serve`: for Deno Deploy, whose edge limits connections and sets the client's address. */
export function listenDeno({ port, handle }: Pick<ListenOptions, "port" | "handle">): Listener {
  const server = Deno.serve(
    { port, onListen() {} },
    (request, info) => handle(request, peerOf(info.remoteAddr, request.headers)),
  );
  return { port: server.addr.port, shutdown: () => server.shutdown() };
}
