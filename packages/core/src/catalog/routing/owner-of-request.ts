/** The reason where it cannot be told which client a server asks. */
export const AMBIGUOUS =
  'several clients have calls in flight at this server, so mcpmux cannot tell which to ask';

/** Knows its members. */
type Clients<Client> = Pick<ReadonlySet<Client>, 'has'>;

/** A request on whose behalf a server is called, and the client that sent it. */
interface Call {
  readonly client: object;
}

/** The client that a server asks, with its oldest call if a call made the server ask; or why it cannot be told. */
export type RequestOwner<Client, Origin> =
  | { readonly client: Client; readonly call?: Origin }
  | { readonly refusal: string };

/**
 * Finds the client whose call made a server ask. stdio has one pipe for all, so the calls in flight have to tell:
 * where they are of several clients the request is refused, for it must never reach another than the one it is for.
 *
 * @param calls in flight at the server; those of others than clients are ignored
 * @param clients every client that calls could come from
 * @param greetedOf finds those that have introduced themselves, who may be asked without a call
 */
export function ownerOfRequest<Client extends object, Origin extends Call>(
  calls: Iterable<Origin>,
  clients: Clients<Client>,
  greetedOf: () => readonly Client[],
): RequestOwner<Client, Origin> {
  let client: Client | undefined;
  let first: Origin | undefined;
  for (const call of calls) {
    const { client: by } = call;
    if (!isOneOf(by, clients) || by === client) continue;
    if (client !== undefined) return { refusal: AMBIGUOUS };
    client = by;
    first = call;
  }
  if (client !== undefined && first !== undefined) return { client, call: first };
  const greeted = greetedOf();
  const [only] = greeted;
  if (only === undefined) return { refusal: 'no client is connected' };
  return greeted.length === 1
    ? { client: only }
    : { refusal: 'several clients are connected and none has a call in flight at this server' };
}

function isOneOf<Client extends object>(by: object, clients: Clients<Client>): by is Client {
  return (clients as Clients<object>).has(by);
}
