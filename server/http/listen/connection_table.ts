/** The most connections that may be open at once, in all and from one IP. */
export interface Caps {
  total: number;
  perIp: number;
}

/**
 * The open connections. When a cap is reached, the connection that has waited longest for its client is closed:
 * one whose request never becomes complete, or an idle one. A connection whose request is being answered is kept.
 * So a flood of half-open connections closes itself, and a visitor who connects and sends a request is served.
 */
export interface ConnectionTable<C> {
  /**
   * Adds a connection, which waits for its client's first request.
   *
   * @param ip what the cap per IP counts; undefined exempts the connection from it
   * @returns the connection to close so that the caps hold, which may be the new one; it is no longer in the table
   */
  add(connection: C, ip: string | undefined): C | undefined;
  /** Notes that a request has arrived whole and is being answered. */
  serve(connection: C): void;
  /** Notes that the client has its answer: the connection waits for the next request. */
  wait(connection: C): void;
  remove(connection: C): void;
}

/** Connections of one IP: how many there are, and those that wait, the longest wait first. */
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
      // The new connection waits too, so there is always one.
      const [closed] = full ?? [];
      if (closed !== undefined) remove(closed);
      return closed;
    },
    serve: stopWaiting,
    wait,
    remove,
  };
}
