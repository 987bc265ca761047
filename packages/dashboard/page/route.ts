/** The views of the page, by the names in its addresses. */
export const VIEWS = ['servers', 'calls', 'tools', 'logs', 'clients', 'cluster', 'add', 'health'] as const;
/** A view of the page. */
export type View = (typeof VIEWS)[number];

/** A view, and the entries in it to which a link leads. */
export interface Route {
  readonly view: View;
  /** The key of the server in the view of servers, its name in the view of tools, and its label in other views. */
  readonly server?: string | undefined;
  /** The layer of the entries. */
  readonly layer?: string | undefined;
  /** The part of the calls that the view shows. */
  readonly only?: CallChoice | undefined;
  /** The name of the chosen entry. */
  readonly name?: string | undefined;
}

/** The calls that the view of calls can be limited to. */
export const CALL_CHOICES = ['all', 'failed', 'in flight', 'slowest'] as const;
/** A part of the calls. */
export type CallChoice = (typeof CALL_CHOICES)[number];

/** Returns the address of a route. */
export function linkTo({ view, ...params }: Route): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** Returns the route of an address, or the view of servers for any other text. */
export function routeOf(hash: string): Route {
  const [name, ...query] = hash.slice(2).split('?');
  const params = new URLSearchParams(query.join('?'));
  return {
    view: VIEWS.find((view) => view === name) ?? 'servers',
    server: params.get('server') ?? undefined,
    layer: params.get('layer') ?? undefined,
    only: CALL_CHOICES.find((choice) => choice === params.get('only')),
    name: params.get('name') ?? undefined,
  };
}
