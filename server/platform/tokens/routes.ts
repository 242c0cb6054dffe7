import type { Scope } from "./scopes.ts";

/** A route for API tokens, apart from queries and actions, which declare what they require themselves. */
export interface TokenRoute {
  method: "GET" | "POST";
  path: string;
  /** What its token needs; undefined if any token will do. */
  scope: Scope | undefined;
  title: string;
}

/** All of them. */
export const TOKEN_ROUTES = {
  signup: { method: "POST", path: "/integrations/signup", scope: "signup", title: "Sign a person up" },
  ownToken: { method: "GET", path: "/ops/token", scope: undefined, title: "Show the scopes of this token" },
  ownSite: {
    method: "GET",
    path: "/connect/site",
    scope: undefined,
    title: "Show the connection of the token's site",
  },
  disconnectSite: {
    method: "POST",
    path: "/connect/disconnect",
    scope: undefined,
    title: "Disconnect the token's site",
  },
  poll: { method: "POST", path: "/ops/poll", scope: "operate", title: "Check for confirmations now" },
  backup: { method: "GET", path: "/ops/backup", scope: "admin", title: "Download a backup" },
  moveDatabase: { method: "POST", path: "/ops/move-database", scope: "admin", title: "Move the database" },
  cancelDatabaseMove: {
    method: "POST",
    path: "/ops/cancel-database-move",
    scope: "admin",
    title: "Cancel the move of the database",
  },
} as const satisfies Record<string, TokenRoute>;
