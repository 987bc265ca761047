import { ExitCode } from '../base/exit-code.js';
import { RegistryError, type FoundServers, type RegistryClient } from '../registry/registry-client.js';
import { sourcesOf } from '../registry/server-source.js';
import { usedRegistry } from '../registry/used-registry.js';
import { inColumns, printable } from '../terminal/columns.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';

/** Flags of a command that reads a registry. */
export interface RegistryFlags {
  /** The base URL of a registry with the API of the official registry. */
  readonly registry?: string;
}

/** `mcpmux search WORDS` lists the registry's servers that have all words in their name or description. */
export const search: Action<RegistryFlags> = async (context, words, flags) => {
  const client = usedRegistry(context, flags.registry);
  const found = await withSpinner(context, 'searching the registry', reading(client.search(words)));
  const width = context.streams.columns;
  const rows = found.servers.map(({ name, version, status, description }) => [
    name,
    version,
    status === 'active' ? '' : status,
    printable(description),
  ]);
  printResult(context, found.servers.map(plain), rows.length === 0 ? '' : inColumns(rows, width));
  printNote(context, footer(found));
  return found.servers.length === 0 ? ExitCode.NotFound : ExitCode.Ok;
};

/** Reads a registry. A failure of the registry becomes a failure of the command. */
export function reading<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof RegistryError)) throw error;
    throw new CommandError('REGISTRY_UNREACHABLE', error.message, {
      next: 'try again later, or name another registry with --registry URL or MCPMUX_REGISTRY',
    });
  });
}

/** Returns the note for a person about stale responses. */
export function staleNote(staleSince: number | undefined): string {
  if (staleSince === undefined) return '';
  const time = new Date(staleSince).toISOString();
  return `The registry cannot be reached; this is what it answered at ${time}.`;
}

function plain(server: Awaited<ReturnType<RegistryClient['search']>>['servers'][number]): object {
  const { name, version, status, statusMessage, description } = server;
  const sources = sourcesOf(server).map(({ label, kind }) => ({ kind, label }));
  return { name, version, status, statusMessage, description, sources };
}

function footer({ servers, staleSince, isCut }: FoundServers): string {
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
