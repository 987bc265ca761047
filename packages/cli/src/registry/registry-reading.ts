import { CommandError } from '../terminal/command-error.js';
import { RegistryError } from './registry-client.js';

/** Flags of a command that reads a registry. */
export interface RegistryFlags {
  /** The base URL of a registry with the API of the official registry. */
  readonly registry?: string;
}

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
