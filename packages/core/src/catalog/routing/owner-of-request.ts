/** The refusal of a server's request that could be for several clients. */
export const AMBIGUOUS =
  'several clients have calls in flight at this server, so mcpmux cannot tell which to ask';

/** A set of clients that can only be tested for a member. */
type ClientSet<Client> = Pick<ReadonlySet<Client>, 'has'>;

/**
 * The client for a server's request, with the client's oldest call in flight if there is one. Otherwise, the reason why
 * the client cannot be determined.
 */
export type RequestOwner<Client, Origin> =
  | { readonly client: Client; readonly call?: Origin }
  | { readonly refusal: string };

/**
 * Finds the client whose call caused a server's request. stdio has one pipe for all clients, so only the calls in
 * flight identify the client. If several clients have calls in flight, the request is refused, because it must never
 * reach the wrong client.
 *
 * @param calls the calls in flight to the server. Calls of senders that are not in `clients` are ignored.
 * @param clients all clients that may have sent the calls
 * @param getInitialized returns the initialized clients. A single one gets the request if no call is in flight.
 */
export function ownerOfRequest<Client extends object, Origin extends { readonly client: object }>(
  calls: Iterable<Origin>,
  clients: ClientSet<Client>,
  getInitialized: () => readonly Client[],
): RequestOwner<Client, Origin> {
  let client: Client | undefined;
  let first: Origin | undefined;
  for (const call of calls) {
    const { client: caller } = call;
    if (!isOneOf(caller, clients) || caller === client) continue;
    if (client !== undefined) return { refusal: AMBIGUOUS };
    client = caller;
    first = call;
  }
  if (client !== undefined && first !== undefined) return { client, call: first };
  const initialized = getInitialized();
  const [only] = initialized;
  if (only === undefined) return { refusal: 'no client is connected' };
  return initialized.length === 1
    ? { client: only }
    : { refusal: 'several clients are connected and none has a call in flight at this server' };
}

function isOneOf<Client extends object>(by: object, clients: ClientSet<Client>): by is Client {
  return (clients as ClientSet<object>).has(by);
}
