import { basename, isAbsolute, resolve } from 'node:path';

import { OWN_NAME, serverNameOf } from '@mcpmux/config/find';
import {
  endpointOf,
  type Client,
  type ClientFile,
  type ClientServer,
  type JsonObject,
  defined,
  mapEntry,
} from '@mcpmux/clients';
import { foldServerName, MAX_SERVER_NAME_LENGTH } from '@mcpmux/namespace';
import { literalText } from '@mcpmux/config';
import { isOwn } from '../../config/own-entry.js';

/** The import result for one server of a client. */
export interface ImportStep {
  readonly client: string;
  readonly name: string;
  readonly path: readonly string[];
  /**
   * `same`: the config has the server. `own`: the server is mcpmux. `left`: mcpmux cannot run the server, so its client
   * keeps it. `unconfirmed`: the server belongs to a folder, and no person has agreed to run it.
   */
  readonly result: 'added' | 'same' | 'own' | 'left' | 'unusable' | 'unconfirmed';
  /** The server's name in the config. */
  readonly as?: string;
  readonly entry?: JsonObject;
  readonly reason?: string;
}

/** The plan for the servers of one file, with one step for each server. */
export interface PlannedSource {
  readonly source: ClientFile;
  readonly servers: readonly ClientServer[];
  readonly steps: readonly ImportStep[];
}

/** The rules for the servers of a folder. */
export interface FolderRules {
  /** True if a person has agreed to run the server. */
  readonly isConfirmed: (server: ClientServer) => boolean;
  /** False if the config is in the folder itself, because then the config's relative paths already start there. */
  readonly isPlaced: boolean;
}

/** Decides which clients' servers are added to a config, and under which names. */
export class ImportPlan {
  readonly steps: ImportStep[] = [];
  /** The server names by endpoint. */
  private readonly endpoints = new Map<string, string>();
  private readonly names = new Set<string>([OWN_NAME]);

  /** @param existing the servers of the config */
  constructor(
    existing: readonly (readonly [name: string, entry: JsonObject])[],
    private readonly rules: FolderRules = { isConfirmed: () => false, isPlaced: true },
  ) {
    for (const [name, entry] of existing) this.take(name, entry);
  }

  add({ id: client, dialect }: Client, server: ClientServer): void {
    const { name, path, folder } = server;
    const imported = dialect.toMux(server.entry);
    const add = (step: Omit<ImportStep, 'client' | 'name' | 'path'>): void =>
      void this.steps.push({ client, name, path, ...step });
    if (imported.kind === 'unusable') return add({ result: 'unusable', reason: imported.reason });
    if (isOwn(imported.entry)) return add({ result: 'own' });
    const isPlaced = folder !== undefined && this.rules.isPlaced;
    const entry = isPlaced ? inFolder(imported.entry, folder) : imported.entry;
    const same = [imported.entry, entry].map((one) => this.endpoints.get(endpointOf(one))).find(Boolean);
    if (same !== undefined) return add({ result: 'same', as: same });
    if (folder !== undefined && !this.rules.isConfirmed(server))
      return add({
        result: 'unconfirmed',
        reason: `it belongs to the folder ${folder}, and nobody confirmed it`,
      });
    const as = this.freeName(name);
    this.take(as, entry);
    add({ result: 'added', as, entry });
  }

  private take(name: string, entry: JsonObject): void {
    this.names.add(foldServerName(serverNameOf(name)));
    this.endpoints.set(endpointOf(entry), name);
  }

  /** Returns a free name. The suffix must survive shortening to the longest name, or no candidate would be free. */
  private freeName(name: string): string {
    for (let attempt = 1; ; attempt += 1) {
      const suffix = attempt === 1 ? '' : `-${attempt}`;
      const cut = attempt === 1 ? name : name.slice(0, MAX_SERVER_NAME_LENGTH - suffix.length);
      const candidate = `${cut}${suffix}`;
      if (!this.names.has(foldServerName(serverNameOf(candidate)))) return candidate;
    }
  }
}

/** Beginnings of placeholders. The name of a folder, such as `app$`, can form one with the text beside it. */
const READING = /(?<!\$)\$\{(?=(?:file|secret|cmd|input):)/g;
const FOLDER = /(?<!\$)\$\{(workspaceFolder|workspaceFolderBasename|cwd)\}/g;

/**
 * Returns the entry of a folder's server with that folder as its working directory. Otherwise `node server.js` would
 * run the file in the folder where mcpmux is started.
 */
export function inFolder(entry: JsonObject, folder: string): JsonObject {
  const placed = mapEntry(entry, (text) => {
    const named = text.replace(FOLDER, (_, name) =>
      literalText(name === 'workspaceFolderBasename' ? basename(folder) : folder),
    );
    return folder.includes('$') ? named.replace(READING, (start) => `$${start}`) : named;
  });
  if (typeof placed['command'] !== 'string') return placed;
  const { cwd = '.', envFile } = placed;
  return defined({ ...placed, cwd: within(folder, cwd), envFile: within(folder, envFile) });
}

function within(folder: string, path: unknown): unknown {
  if (typeof path !== 'string' || isAbsolute(path) || path.includes('${')) return path;
  return literalText(resolve(folder, path));
}
