import type { RecordedServer, RecordedTool } from './recorded-tools.js';

/** The text of a tool, by the fields that every searcher gets. */
export interface SearchableText {
  /** `{server}__{tool}` */
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Names and descriptions of the parameters. */
  readonly parameters: string;
}

/** The texts of all tools. Names are split into words, as libraries for prose split none at `_` or at a capital. */
export function searchableTexts(servers: readonly RecordedServer[]): readonly SearchableText[] {
  return servers.flatMap(({ server, tools }) => tools.map((tool) => textOf(server, tool)));
}

function textOf(
  server: string,
  { name, title = '', description = '', inputSchema }: RecordedTool,
): SearchableText {
  const parameters: string[] = [];
  collect(inputSchema, parameters);
  return {
    id: `${server}__${name}`,
    server,
    name: splitName(name),
    title,
    description,
    parameters: parameters.join(' '),
  };
}

function collect(schema: unknown, into: string[]): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, items } = schema as { properties?: Readonly<Record<string, unknown>>; items?: unknown };
  for (const [name, one] of Object.entries(properties ?? {})) {
    into.push(splitName(name));
    const { description } = (one ?? {}) as { description?: unknown };
    if (typeof description === 'string') into.push(description);
    collect(one, into);
  }
  collect(items, into);
}

function splitName(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[^A-Za-z\d]+/g, ' ');
}
