import { endpointOf, type Client, type ClientServer, type JsonObject } from '@mcpmux/clients';

import { isOwn } from '../config/own-entry.js';
import { serverNameOf } from '../config/server-name.js';

/** The result of the import for one server of a client. */
export interface ImportStep {
  readonly client: string;
  readonly name: string;
  readonly path: readonly string[];
  /** `same`: the config has the server. `own`: it is mcpmux. `left`: mcpmux cannot run it, so its client keeps it. */
  readonly result: 'added' | 'same' | 'own' | 'left' | 'unusable';
  /** Its name in the config. */
  readonly as?: string;
  readonly entry?: JsonObject;
  readonly reason?: string;
}

/** Decides which servers of clients are added to a config, and under which names. */
export class ImportPlan {
  readonly steps: ImportStep[] = [];
  /** Names by endpoint. */
  private readonly endpoints = new Map<string, string>();
  private readonly names = new Set<string>();

  /** @param existing the servers of the config */
  constructor(existing: readonly (readonly [name: string, entry: JsonObject])[]) {
    for (const [name, entry] of existing) this.take(name, entry);
  }

  add({ id: client, dialect }: Client, { name, path, entry }: ClientServer): void {
    const imported = dialect.toMux(entry);
    if (imported.kind === 'unusable') {
      this.steps.push({ client, name, path, result: 'unusable', reason: imported.reason });
      return;
    }
    if (isOwn(imported.entry)) {
      this.steps.push({ client, name, path, result: 'own' });
      return;
    }
    const same = this.endpoints.get(endpointOf(imported.entry));
    if (same !== undefined) {
      this.steps.push({ client, name, path, result: 'same', as: same });
      return;
    }
    const as = this.freeName(name);
    this.take(as, imported.entry);
    this.steps.push({ client, name, path, result: 'added', as, entry: imported.entry });
  }

  private take(name: string, entry: JsonObject): void {
    this.names.add(serverNameOf(name).toLowerCase());
    this.endpoints.set(endpointOf(entry), name);
  }

  private freeName(name: string): string {
    for (let attempt = 1; ; attempt += 1) {
      const candidate = attempt === 1 ? name : `${name}-${attempt}`;
      if (!this.names.has(serverNameOf(candidate).toLowerCase())) return candidate;
    }
  }
}
