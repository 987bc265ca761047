import type { RegistryChoice, ServerRegistry } from '@mcpmux/dashboard';

import { staleNote } from '../registry/registry-reading.js';
import { thisProcess } from '../config/this-process.js';
import type { RegistryClient } from '../registry/registry-client.js';
import { normalizeValue } from '../registry/input-value.js';
import type { RegistryServer } from '../registry/registry-server.js';
import { localServerName } from '../registry/local-name.js';
import {
  secretReference,
  sourcesOf,
  type ServerSource,
  type SourceInput,
  type UsableSource,
} from '../registry/server-source.js';
import { usedRegistry } from '../registry/used-registry.js';

const MORE_NOTE = 'There are more; search for more words.';

/** Adapts the MCP registry to the page. */
export function registryForPage(client: () => Reader = () => usedRegistry(thisProcess())): ServerRegistry {
  return {
    search: async (words) => {
      const hits = await client().search(words.split(/\s+/).filter((word) => word !== ''));
      const notes = [staleNote(hits.staleSince), hits.hasMore ? MORE_NOTE : ''].filter((note) => note !== '');
      return { servers: hits.servers.map(serverData), ...(notes.length > 0 && { note: notes.join(' ') }) };
    },
    entry: async (choice) => chosenEntry(await client().find(choice.server), choice),
  };
}

type Reader = Pick<RegistryClient, 'search' | 'find'>;

function serverData(server: RegistryServer): object {
  const { name, description, version, status, statusMessage } = server;
  const allSources = sourcesOf(server);
  const sources = allSources.filter(isOffered).map(({ label, inputs }) => ({ label, inputs }));
  const problems = allSources.flatMap((source) =>
    isOffered(source) ? [] : [`${source.label}: ${notOfferedReason(source)}`],
  );
  const local = localServerName(name);
  return { name, local, description, version, status, statusMessage, sources, problems };
}

/** True if the page offers a source. It offers no source with risks, which a person must accept in a terminal. */
function isOffered(source: ServerSource): source is UsableSource {
  return source.kind !== 'unusable' && source.risks.length === 0;
}

function notOfferedReason(source: ServerSource): string {
  return source.kind === 'unusable'
    ? source.problem
    : `${source.risks.join('; ')}. Add it at the terminal, where you are asked`;
}

function chosenEntry(server: RegistryServer | undefined, choice: RegistryChoice): object {
  if (server?.status === 'deleted')
    throw new Error(`The registry has deleted ${choice.server}. Search for another server.`);
  const source = server && sourcesOf(server).find(({ label }) => label === choice.source);
  if (source === undefined || !isOffered(source))
    throw new Error(`The registry has no ${choice.source} of ${choice.server}. Search for it again.`);
  return { entry: source.entry((input) => inputValue(input, choice)) };
}

/**
 * Returns the value to write for an input: a secret reference, the entered value, the default, or, for a required
 * input, a reference to an environment variable.
 */
function inputValue(input: SourceInput, choice: RegistryChoice): string | undefined {
  const { id, fallback, isRequired } = input;
  if (choice.secrets.includes(id)) return secretReference(`${choice.name}.${id}`);
  const entered = Object.hasOwn(choice.values, id) ? choice.values[id] : undefined;
  if (entered !== undefined && entered.trim() !== '') return normalizeValue(id, input, entered);
  return fallback ?? (isRequired ? `\${${id}}` : undefined);
}
