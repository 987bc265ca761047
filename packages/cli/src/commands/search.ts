import { ExitCode } from '../base/exit-code.js';
import type { SearchResult, RegistryClient } from '../registry/registry-client.js';
import { withRegistryErrors, staleNote, type RegistryFlags } from '../registry/registry-reading.js';
import { sourcesOf } from '../registry/server-source.js';
import { usedRegistry } from '../registry/used-registry.js';
import { inColumns, printable } from '../terminal/columns.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';

/** `mcpmux search WORDS` lists the registry's servers whose name or description contains all words. */
export const search: Action<RegistryFlags> = async (context, words, flags) => {
  const client = usedRegistry(context, flags.registry);
  const hits = await withSpinner(context, 'searching the registry', withRegistryErrors(client.search(words)));
  const width = context.streams.columns;
  const rows = hits.servers.map(({ name, version, status, description }) => [
    name,
    version,
    status === 'active' ? '' : status,
    printable(description),
  ]);
  printResult(context, hits.servers.map(serverData), rows.length === 0 ? '' : inColumns(rows, width));
  printNote(context, searchNotes(hits));
  return hits.servers.length === 0 ? ExitCode.NotFound : ExitCode.Ok;
};

function serverData(server: Awaited<ReturnType<RegistryClient['search']>>['servers'][number]): object {
  const { name, version, status, statusMessage, description } = server;
  const sources = sourcesOf(server).map(({ label, kind }) => ({ kind, label }));
  return { name, version, status, statusMessage, description, sources };
}

function searchNotes({ servers, staleSince, hasMore: isCut }: SearchResult): string {
  const [first] = servers;
  const lines = [
    staleNote(staleSince),
    isCut ? 'There are more; search for more words.' : '',
    first === undefined
      ? 'No server of the registry has these words.'
      : `Next: mcpmux add registry:${first.name}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
