/**
 * Returns whether an address of the database (`CFBE_KV`) leads to a server that other processes can use as well: KV
 * Connect, or, when it is undefined, the database that Deno Deploy assigned.
 */
export function isRemote(address: string | undefined): boolean {
  return address === undefined || /^https?:\/\//.test(address);
}
