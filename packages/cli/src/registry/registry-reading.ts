import { CommandError } from '../terminal/command-error.js';
import { RegistryError } from './registry-client.js';

/** The flags of commands that read a registry. */
export interface RegistryFlags {
  /** The base URL of the registry to use, which must support the official registry's API. */
  readonly registry?: string;
}

/** Converts registry errors to command errors. */
export function withRegistryErrors<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof RegistryError)) throw error;
    throw new CommandError('REGISTRY_UNREACHABLE', error.message, {
      next: 'try again later, or name another registry with --registry URL or MCPMUX_REGISTRY',
    });
  });
}

/** Returns a note for the user about stale responses, or an empty string if all responses are current. */
export function staleNote(staleSince: number | undefined): string {
  if (staleSince === undefined) return '';
  const time = new Date(staleSince).toISOString();
  return `The registry cannot be reached; this is what it answered at ${time}.`;
}
