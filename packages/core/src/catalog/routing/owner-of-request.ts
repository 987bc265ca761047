/** The refusal of a server's request that calls from several clients may have caused. */
export const AMBIGUITY =
  'several clients have calls in flight at this server, so mcpmux cannot tell which to ask';

type ClientSet<Client> = Pick<ReadonlySet<Client>, 'has'>;

/**
 * The client that must answer a server's request, with the client's oldest call in flight, if any; or the reason why no
 * client can be determined.
 */
export type RequestOwner<Client, Origin> =
  | { readonly client: Client; readonly call?: Origin }
  | { readonly refusal: string };

/**
 * Finds the client whose call caused a server's request. A stdio server has one pipe for all clients, so only the calls
 * in flight identify the client. If several clients have calls in flight, the request is refused, because it must never
 * reach the wrong client.
 *
 * @param calls the calls in flight to the server. Calls from clients that are not in `clients` are ignored.
 * @param clients all clients that may have sent the calls
 * @param getInitialized returns the initialized clients. If no call is in flight and only one client is initialized,
 * that client gets the request.
 */
export function ownerOfRequest<Client extends object, Origin extends { readonly client: object }>(
  calls: Iterable<Origin>,
  clients: ClientSet<Client>,
  getInitialized: () => readonly Client[],
): RequestOwner<Client, Origin> {
  let client: Client | undefined;
  let firstCall: Origin | undefined;
  for (const call of calls) {
    const { client: caller } = call;
    if (!isOneOf(caller, clients) || caller === client) continue;
    if (client !== undefined) return { refusal: AMBIGUITY };
    client = caller;
    firstCall = call;
  }
  if (client !== undefined && firstCall !== undefined) return { client, call: firstCall };
  const initialized = getInitialized();
  const [onlyClient] = initialized;
  if (onlyClient === undefined) return { refusal: 'no client is connected' };
  return initialized.length === 1
    ? { client: onlyClient }
    : { refusal: 'several clients are connected and none has a call in flight at this server' };
}

function isOneOf<Client extends object>(client: object, clients: ClientSet<Client>): client is Client {
  return (clients as ClientSet<object>).has(client);
}
