import type { SearchRegistry } from '@mcpmux/dashboard';

import { thisProcess } from '../config/this-process.js';
import { staleNote } from '../commands/search.js';
import type { RegistryServer } from '../registry/registry-server.js';
import { sourcesOf } from '../registry/server-source.js';
import { usedRegistry } from '../registry/used-registry.js';

/** The search of the page. An entry refers to variables of the environment for what the server needs. */
export function searchForPage(): SearchRegistry {
  return async (words) => {
    const found = await usedRegistry(thisProcess()).search(words.split(/\s+/).filter((word) => word !== ''));
    const note = staleNote(found.staleSince);
    return { servers: found.servers.map(shown), ...(note !== '' && { note }) };
  };
}

function shown(server: RegistryServer): object {
  const { name, description, version, status } = server;
  const short = name.slice(name.lastIndexOf('/') + 1).replaceAll(/[^\w-]|_{2,}/g, '-');
  const sources = sourcesOf(server).flatMap((source) => {
    if (source.kind === 'unusable') return [];
    const needed = source.inputs.filter(({ isRequired }) => isRequired);
    const entry = source.entry(
      ({ id, fallback, isRequired }) => fallback ?? (isRequired ? `\${${id}}` : undefined),
    );
    const target = JSON.stringify(entry, undefined, 2);
    return [{ label: source.label, name: short, target, needs: needed.map(({ id }) => id) }];
  });
  return { name, description, version, status, sources };
}
