import { Hono, type MiddlewareHandler } from "hono";
import { serveStatic } from "hono/deno";
import { etag } from "hono/etag";
import { secureHeaders } from "hono/secure-headers";
import { fileURLToPath } from "node:url";

/**
 * Headers of every page of ours: it loads nothing but what is ours, and nobody frames it.
 *
 * @param referrerPolicy "no-referrer" where the address itself is a secret; elsewhere it would make browsers send
 * `Origin: null` with our own forms
 * @param frames whether it holds others of our pages in frames, or is held by one
 * @param aliases further origins that are ours: a page may be opened under another name than the public address
 */
export function ownPage(
  aliases: string[] = [],
  referrerPolicy: "same-origin" | "no-referrer" = "same-origin",
  frames: "none" | "holds" | "held" = "none",
): MiddlewareHandler {
  const own = ["'self'", ...aliases];
  return secureHeaders({
    // Transport security is for whoever terminates TLS in front of this program.
    strictTransportSecurity: false,
    referrerPolicy,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      imgSrc: own,
      connectSrc: own,
      formAction: own,
      baseUri: ["'none'"],
      frameAncestors: frames === "held" ? own : ["'none'"],
      ...(frames === "holds" && { frameSrc: own }),
    },
  });
}

/**
 * Serves the files of folders, without their subfolders, with an ETag. Of two files with one name the first folder's is
 * served.
 */
export function assets(...folders: URL[]): Hono {
  return new Hono().get(
    "/*",
    etag(),
    ...folders.map((folder) =>
      serveStatic({
        root: fileURLToPath(folder),
        rewriteRequestPath: (path) => path.slice(path.lastIndexOf("/")),
        onFound: (_path, c) => c.header("cache-control", "no-cache"),
      })
    ),
  );
}
