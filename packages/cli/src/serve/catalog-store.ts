import { chmodSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { literalText } from '@mcpmux/config';
import { type ConfigLocation, serverNameOf } from '@mcpmux/config/find';
import type { ConfigReconciler } from '@mcpmux/config/follow';
import { defined, isObject, mapEntry, type JsonObject } from '@mcpmux/clients';
import type { ProcessConfig, RemoteConfig, ServerConfig, ServerStore } from '@mcpmux/core';

import { configServers, configTextOf, type ParsedConfig } from '../config/config-choice.js';
import { editedConfigText } from '../edit/write-config.js';
import { writeAtomically } from '../files/atomic-write.js';
import { FileLockedError, withFileLock } from '../files/file-lock.js';
import { CommandError } from '../terminal/command-error.js';

const OTHER_USERS_MASK = 0o077;
const OWNER_ONLY_MODE = 0o600;

/** Saves servers that agents added to a catalog file, and marks their entries. Does not change unmarked entries. */
export class CatalogStore implements ServerStore {
  /** @param reconciler the catalog's reconciler, which is notified of servers that are already started or stopped */
  constructor(
    private readonly location: ConfigLocation,
    private readonly reconciler: Pick<ConfigReconciler, 'adopt' | 'disown'> | undefined,
  ) {}

  save(name: string, config: ServerConfig): Promise<void> {
    return this.changeCatalog(({ reading, valueOf }, text) => {
      const { file, folder } = this.location;
      const existing = reading.entries.find((entry) => entry.name === name);
      if (existing !== undefined && !isAddedByAgent(valueOf(existing.path)))
        throw new Error(`${file} has another server of that name, which was not added by an agent.`);
      const entry = catalogEntryOf(name, config, folder);
      const after = editedConfigText(file, text, existing?.path ?? ['mcpServers', name], entry);
      if (mayHaveSecrets(config)) hideFromOthers(file);
      writeAtomically(file, after);
      this.reconciler?.adopt(name);
      return undefined;
    });
  }

  delete(name: string): Promise<boolean> {
    return this.changeCatalog(({ reading, valueOf }, text) => {
      const { file } = this.location;
      const existing = reading.entries.find((entry) => entry.name === name);
      if (existing === undefined || !isAddedByAgent(valueOf(existing.path))) return false;
      writeAtomically(file, editedConfigText(file, text, existing.path, undefined));
      this.reconciler?.disown(name);
      return true;
    });
  }

  /** Changes the catalog synchronously and under the file lock, so that no other change can interfere. */
  private async changeCatalog<Result>(
    work: (servers: ParsedConfig, text: string) => Result,
  ): Promise<Result> {
    const { location } = this;
    try {
      return await withFileLock(location.file, () => {
        const text = configTextOf(location);
        return work(configServers(location, text), text);
      });
    } catch (error) {
      throw agentError(location.file, error);
    }
  }
}

/** Converts a server's configuration to a catalog entry that is read back as the same configuration. */
export function catalogEntryOf(name: string, config: ServerConfig, folder: string): JsonObject {
  const { entry, settings } = config.url === undefined ? programParts(config, folder) : urlParts(config);
  const mux = { ...(serverNameOf(name) !== name && { name }), ...settings, addedByAgent: true };
  return { ...mapEntry(entry, literalText), mux };
}

/** The top-level keys of an entry, and its settings under `mux`. */
interface EntryParts {
  readonly entry: JsonObject;
  readonly settings: JsonObject;
}

function programParts({ command, args, env, cwd, ...settings }: ProcessConfig, folder: string): EntryParts {
  const path = cwd === undefined ? undefined : resolve(folder, cwd);
  return { entry: defined({ command, args, env, cwd: path }), settings: withLiteralPaths(settings) };
}

/** Escapes the sandbox's file system paths. In other settings, mcpmux does not replace placeholders. */
function withLiteralPaths(settings: Pick<ProcessConfig, 'sandbox'>): JsonObject {
  const { sandbox } = settings;
  if (sandbox?.filesystem === undefined) return settings;
  const filesystem = mapEntry({ ...sandbox.filesystem }, literalText);
  return { ...settings, sandbox: { ...sandbox, filesystem } };
}

/** Returns a remote server's entry parts. With the type `http`, mcpmux tries Streamable HTTP first, then SSE. */
function urlParts({ url, headers, transport, ...settings }: RemoteConfig): EntryParts {
  return { entry: defined({ type: transport === 'sse' ? 'sse' : 'http', url, headers }), settings };
}

function mayHaveSecrets(config: ServerConfig): boolean {
  return config.url === undefined ? config.env !== undefined : true;
}

function isAddedByAgent({ mux }: JsonObject): boolean {
  return isObject(mux) && mux['addedByAgent'] === true;
}

/** Denies other users access to the file before variables, headers or a URL, which may contain secrets, are written. */
function hideFromOthers(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHER_USERS_MASK) !== 0) chmodSync(file, OWNER_ONLY_MODE);
}

/** Converts a failed change's error to one whose message explains the problem to the agent. */
function agentError(file: string, error: unknown): Error {
  if (error instanceof FileLockedError)
    return new Error(`another process is writing ${file}.`, { cause: error });
  if (error instanceof CommandError) {
    const { message, details = [] } = error.failure;
    return new Error([message, ...details].join(' '), { cause: error });
  }
  if (!(error instanceof Error) || !('code' in error))
    return error instanceof Error ? error : new Error(String(error));
  return new Error(`${file} cannot be written (${String(error.code)}).`, { cause: error });
}
