import { chmodSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { ProcessConfig, RemoteConfig, ServerConfig, ServerStore } from '@mcpmux/core';

import { isObject, mapTexts, type JsonObject } from './clients/json-object.js';
import { configServers, configTextOf, type ConfigServers } from './commands/config-choice.js';
import { editedConfig } from './commands/write-config.js';
import type { ConfigKeeper } from './config/config-keeper.js';
import type { ConfigLocation } from './config/find-config.js';
import { literalText } from './config/interpolate.js';
import { serverNameOf } from './config/server-name.js';
import { writeAtomically } from './files/atomic-write.js';
import { FileLockedError, withFileLock } from './files/file-lock.js';
import { CommandError } from './terminal/command-error.js';

const OTHERS = 0o077;
const PRIVATE = 0o600;

/** What a catalog is kept with. */
export interface CatalogStoreComponents {
  readonly location: ConfigLocation;
  /** Starts what the catalog says: it is told what was started already. */
  readonly keeper: Pick<ConfigKeeper, 'adopt' | 'disown'> | undefined;
}

/** A catalog, in which servers of agents stand under a mark of their own: what people wrote there stays. */
export class CatalogStore implements ServerStore {
  constructor(private readonly components: CatalogStoreComponents) {}

  keep(name: string, config: ServerConfig): Promise<void> {
    return this.change(({ reading, valueOf }, text) => {
      const { file, folder } = this.components.location;
      const existing = reading.entries.find((entry) => entry.name === name);
      if (existing !== undefined && !isOfAgent(valueOf(existing.path)))
        throw new Error(`${file} has another server of that name, which was not added by an agent.`);
      const entry = entryOf(name, config, folder);
      const after = editedConfig(file, text, existing?.path ?? ['mcpServers', name], entry);
      if (holdsSecrets(config)) hideFromOthers(file);
      writeAtomically(file, after);
      this.components.keeper?.adopt(name);
      return undefined;
    });
  }

  forget(name: string): Promise<boolean> {
    return this.change(({ reading, valueOf }, text) => {
      const { file } = this.components.location;
      const existing = reading.entries.find((entry) => entry.name === name);
      if (existing === undefined || !isOfAgent(valueOf(existing.path))) return false;
      writeAtomically(file, editedConfig(file, text, existing.path, undefined));
      this.components.keeper?.disown(name);
      return true;
    });
  }

  /** In one turn and under the lock of the file: no other change of this process or of another comes between. */
  private async change<Result>(work: (servers: ConfigServers, text: string) => Result): Promise<Result> {
    const { location } = this.components;
    try {
      return await withFileLock(location.file, () => {
        const text = configTextOf(location);
        return work(configServers(location, text), text);
      });
    } catch (error) {
      throw forModel(location.file, error);
    }
  }
}

/** An entry that reads back as this config. */
function entryOf(name: string, config: ServerConfig, folder: string): JsonObject {
  const { entry, settings } = config.url === undefined ? programEntry(config, folder) : urlEntry(config);
  const literal = mapTexts(entry, literalText);
  const mux = { ...(serverNameOf(name) !== name && { name }), ...settings, addedByAgent: true };
  return { ...(isObject(literal) ? literal : entry), mux };
}

interface EntryParts {
  /** What starts it or leads to it. */
  readonly entry: JsonObject;
  /** What is said of it under `mux`. */
  readonly settings: JsonObject;
}

function programEntry({ command, args, env, cwd, ...settings }: ProcessConfig, folder: string): EntryParts {
  const entry = {
    command,
    ...(args !== undefined && { args }),
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd: resolve(folder, cwd) }),
  };
  return { entry, settings };
}

function urlEntry({ url, headers, transport, ...settings }: RemoteConfig): EntryParts {
  const entry = {
    ...(transport === 'sse' && { type: 'sse' }),
    url,
    ...(headers !== undefined && { headers }),
  };
  return { entry, settings };
}

function holdsSecrets(config: ServerConfig): boolean {
  return config.url !== undefined || config.env !== undefined;
}

function isOfAgent({ mux }: JsonObject): boolean {
  return isObject(mux) && mux['addedByAgent'] === true;
}

/** Before it holds values of variables. */
function hideFromOthers(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) !== 0) chmodSync(file, PRIVATE);
}

/** What a command would tell a person. */
function forModel(file: string, error: unknown): Error {
  if (error instanceof FileLockedError)
    return new Error(`${file} is being written by another process.`, { cause: error });
  if (error instanceof CommandError) {
    const { message, details = [] } = error.failure;
    return new Error([message, ...details].join(' '), { cause: error });
  }
  if (!(error instanceof Error) || !('code' in error))
    return error instanceof Error ? error : new Error(String(error));
  return new Error(`${file} cannot be written (${String(error.code)}).`, { cause: error });
}
