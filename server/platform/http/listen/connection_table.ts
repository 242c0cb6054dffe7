/** How many connections may be open at once: in total, and per IP. */
export interface Caps {
  total: number;
  perIp: number;
}

/**
 * The open connections. When a cap is reached, the connection that has waited longest for its client is closed: its
 * request is incomplete, or it is idle. A connection whose request is being handled stays open. Half-open connections
 * therefore displace each other, and a visitor who connects and sends a request is served.
 */
export interface ConnectionTable<C> {
  /**
   * Adds a connection that waits for its client's first request.
   *
   * @param ip counted by the cap per IP; undefined exempts the connection from that cap
   * @returns the connection to close, already removed from the table, which may be the new one; undefined if none
   */
  add(connection: C, ip: string | undefined): C | undefined;
  /** Marks the connection as busy: a complete request has arrived and is being handled. */
  serve(connection: C): void;
  /** Marks the connection as waiting: the response was sent, and the next request has not arrived. */
  wait(connection: C): void;
  remove(connection: C): void;
}

/** The connections of one IP: their number, and those that wait, longest wait first. */
interface Group<C> {
  size: number;
  waiting: Set<C>;
}

export function createConnectionTable<C>({ total, perIp }: Caps): ConnectionTable<C> {
  const open = new Map<C, string | undefined>();
  const waiting = new Set<C>();
  const groups = new Map<string, Group<C>>();

  const groupOf = (connection: C) => {
    const ip = open.get(connection);
    return ip === undefined ? undefined : groups.get(ip);
  };

  function stopWaiting(connection: C) {
    waiting.delete(connection);
    groupOf(connection)?.waiting.delete(connection);
  }

  function wait(connection: C) {
    if (!open.has(connection)) return;
    // Removed first, so that the sets stay in the order in which the waits began.
    stopWaiting(connection);
    waiting.add(connection);
    groupOf(connection)?.waiting.add(connection);
  }

  function remove(connection: C) {
    if (!open.has(connection)) return;
    stopWaiting(connection);
    const group = groupOf(connection);
    const ip = open.get(connection);
    if (group && ip !== undefined && --group.size === 0) groups.delete(ip);
    open.delete(connection);
  }

  return {
    add(connection, ip) {
      open.set(connection, ip);
      let group: Group<C> | undefined;
      if (ip !== undefined) {
        group = groups.get(ip);
        if (!group) groups.set(ip, group = { size: 0, waiting: new Set() });
        group.size += 1;
      }
      wait(connection);
      const full = group && group.size > perIp ? group.waiting : open.size > total ? waiting : undefined;
      // Never empty, because the new connection waits too.
      const [closed] = full ?? [];
      if (closed !== undefined) remove(closed);
      return closed;
    },
    serve: stopWaiting,
    wait,
    remove,
  };
}
