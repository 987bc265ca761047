import { hash } from 'node:crypto';
import { join } from 'node:path';

import { parsedJson, type RememberedLists, type ServerConfig } from '@mcpmux/core';
import { readFileText } from '../base/file-text.js';
import { writeAtomically } from '../files/atomic-write.js';
import { stateFolder, type StateContext } from '../files/state-folder.js';
import { z } from '../base/zod.js';

const optionalStrings = z.optional(z.array(z.string()));
const catalogSchema = z.object({
  version: z.literal(1),
  servers: z.record(
    z.string(),
    z.object({
      of: z.string(),
      lists: z.object({
        tools: optionalStrings,
        prompts: optionalStrings,
        resources: optionalStrings,
        resourceTemplates: optionalStrings,
        uses: z.optional(z.record(z.string(), z.number())),
        protocol: z.optional(z.object({ era: z.enum(['legacy', 'modern']), at: z.number() })),
      }),
    }),
  ),
});

interface RememberedEntry {
  /** The fingerprint of the server's configuration. The lists do not apply to another configuration. */
  readonly of: string;
  readonly lists: RememberedLists;
}

/** The lists saved from the last runs of a config's servers. */
export class RememberedCatalog {
  private entries: ReadonlyMap<string, RememberedEntry>;
  private savedText = '';

  constructor(private readonly file: string) {
    this.entries = readEntries(file);
  }

  /** Returns a server's saved lists, or undefined if none were saved with this configuration. */
  recall(name: string, config: ServerConfig): RememberedLists | undefined {
    const entry = this.entries.get(name);
    return entry?.of === fingerprint(config) ? entry.lists : undefined;
  }

  /**
   * Saves the servers' current lists. A server that is not running retains the lists from its last run.
   *
   * @param others the config's servers that this process does not start. Their saved lists are preserved.
   * @throws a file system error
   */
  saveLists(
    servers: ReadonlyMap<string, ServerConfig>,
    listsOf: (name: string) => RememberedLists | undefined,
    others: ReadonlySet<string> = new Set(),
  ): void {
    const nextEntries = new Map([...this.entries].filter(([name]) => others.has(name) && !servers.has(name)));
    for (const [name, config] of servers) {
      const lists = listsOf(name) ?? this.recall(name, config);
      if (lists !== undefined) nextEntries.set(name, { of: fingerprint(config), lists });
    }
    this.entries = nextEntries;
    const text = JSON.stringify({ version: 1, servers: Object.fromEntries(nextEntries) });
    if (text === this.savedText) return;
    writeAtomically(this.file, text);
    this.savedText = text;
  }
}

/** Returns the path of the file that stores the lists of a config's servers. */
export function rememberedCatalogFile(config: string, places: StateContext): string {
  return join(stateFolder(places), 'catalogs', `${hash('sha256', config).slice(0, 16)}.json`);
}

function readEntries(file: string): ReadonlyMap<string, RememberedEntry> {
  const { servers = {} } = catalogSchema.safeParse(parsedJson(readFileText(file) ?? '')).data ?? {};
  return new Map(
    Object.entries(servers).map(([name, { of, lists }]) => [name, { of, lists: definedLists(lists) }]),
  );
}

function definedLists(lists: Readonly<Record<string, unknown>>): RememberedLists {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined));
}

/**
 * Returns the fingerprint of a configuration. Excludes the values of variables and headers, because they do not
 * identify a server and may be secret.
 */
function fingerprint(config: ServerConfig): string {
  if (config.url !== undefined)
    return hash('sha256', JSON.stringify(['url', config.url, sortedNames(config.headers)]));
  const { command, args = [], cwd, env } = config;
  return hash('sha256', JSON.stringify([command, args, cwd, sortedNames(env)]));
}

function sortedNames(values: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.keys(values).toSorted();
}
