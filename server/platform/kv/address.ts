/**
 * Returns whether `CFBE_KV` names a database that several processes can share: a KV Connect server, PostgreSQL or, if undefined,
 * the database that Deno Deploy assigned.
 */
export function isRemote(address: string | undefined): boolean {
  return address === undefined || /^(https?|postgres(ql)?):\/\//.test(address);
}
