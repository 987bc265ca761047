/** Which of several clients a server means when it asks for something, or why nobody can tell. */
export type RequestOwner<Client> = { readonly client: Client } | { readonly refusal: string };

/**
 * Finds the client whose call made a server ask. stdio has one pipe for all, so the calls in flight have to tell:
 * where they are of several clients the request is refused, for it must never reach another than the one it is for.
 *
 * @param callers whoever has calls in flight at the server, once for each call; others than clients are ignored
 * @param clients every client that calls could come from
 * @param greeted those that have introduced themselves, who may be asked without a call
 */
export function ownerOfRequest<Client extends object>(
  callers: Iterable<object>,
  clients: ReadonlySet<Client>,
  greeted: readonly Client[],
): RequestOwner<Client> {
  const calling = new Set<Client>();
  for (const caller of callers) {
    if (isOneOf(caller, clients)) calling.add(caller);
  }
  const [caller] = calling;
  if (calling.size > 1)
    return {
      refusal: 'several clients have calls in flight at this server, and it cannot be told who is meant',
    };
  if (caller !== undefined) return { client: caller };
  const [only] = greeted;
  if (only === undefined) return { refusal: 'no client is connected' };
  return greeted.length === 1
    ? { client: only }
    : { refusal: 'several clients are connected and none has a call in flight at this server' };
}

function isOneOf<Client extends object>(caller: object, clients: ReadonlySet<Client>): caller is Client {
  return (clients as ReadonlySet<object>).has(caller);
}
