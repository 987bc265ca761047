import { OWN_NAME, serverNameOf } from '@mcpmux/config/find';
import {
  endpointOf,
  type Client,
  type ClientFile,
  type ClientServer,
  type JsonObject,
} from '@mcpmux/clients';
import { foldServerName, MAX_SERVER_NAME_LENGTH } from '@mcpmux/namespace';

import { isOwn } from '../config/own-entry.js';
import { inFolder } from './in-folder.js';

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
