/** The two eras of the protocol. */
export type Era = 'legacy' | 'modern';

/** A client's era and the era that its server is spoken to in. */
export interface Cell {
  readonly client: Era;
  readonly server: Era;
}

/** All pairs of eras. */
export const CELLS: readonly Cell[] = (['legacy', 'modern'] as const).flatMap((client) =>
  (['legacy', 'modern'] as const).map((server) => ({ client, server })),
);

/** The revision that a client or server of an era negotiates here. */
export const REVISIONS = { legacy: '2025-11-25', modern: '2026-07-28' } as const;

/** The name of a cell: in tests, reports and tables. */
export function nameOf({ client, server }: Cell): string {
  return `${client} client, ${server} server`;
}
