import { createHash } from 'node:crypto';

import { LIST_KINDS, type RememberedLists } from '@mcpmux/core';
import { type Clock, isRecord, type Logger, messageOf, type Timer } from '@mcpmux/kit';

import { ClusterError, type Bucket } from './cluster.js';
import { keyOf } from './records.js';

/** The dependencies of {@link Catalogs}. */
export interface CatalogsParts {
  /** Opens the bucket of the catalogs. @throws ClusterError UNAVAILABLE */
  readonly open: () => Promise<Bucket>;
  /** The specs of the servers that this node runs, by name. */
  readonly own: () => ReadonlyMap<string, unknown>;
  /** The current lists of a server; undefined for one that does not run. */
  readonly listed: (server: string) => RememberedLists | undefined;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly logger: Logger;
}

/** The bucket of the catalogs. */
export const CATALOG_BUCKET = 'catalogs';
/** Lists that change again and again are written once in this time. */
const PAUSE_MS = 2000;
/** Lists that were not written are tried again after this time. */
const RETRY_MS = 10_000;
/** NATS limits a message to 1 MB by default. */
const MAX_BYTES = 512 * 1024;

/**
 * The lists of all servers, in the cluster: a node that joins knows the tools of a server that has not started again, or
 * that waits for its node. The node that runs a server writes its lists.
 */
export class Catalogs {
  /** Digests of the records that this node has written. */
  private readonly written = new Map<string, string>();
  private timer: Timer | undefined;
  private bucket: Promise<Bucket> | undefined;
  private isClosed = false;

  constructor(private readonly parts: CatalogsParts) {}

  /** The lists of some servers may have changed. */
  changed(): void {
    this.writeIn(PAUSE_MS);
  }

  close(): void {
    this.isClosed = true;
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** Resolves with the lists that a server of this spec had last; undefined where nobody knows. */
  async read(server: string, spec: unknown): Promise<RememberedLists | undefined> {
    try {
      const entry = await (await this.opened()).get(keyOf(server));
      return entry && listsOf(entry.value, spec);
    } catch (error) {
      this.failed(server, error);
      return undefined;
    }
  }

  /** A server is removed from the cluster. */
  async forget(server: string): Promise<void> {
    this.written.delete(server);
    try {
      const bucket = await this.opened();
      const known = await bucket.get(keyOf(server));
      if (known !== undefined) await bucket.delete(keyOf(server), known.revision);
    } catch (error) {
      this.failed(server, error);
    }
  }

  private writeIn(ms: number): void {
    if (this.isClosed) return;
    this.timer ??= this.parts.clock.schedule(() => {
      this.timer = undefined;
      void this.write();
    }, ms);
  }

  private async write(): Promise<void> {
    const { own, listed } = this.parts;
    let isDone = true;
    for (const [server, spec] of own()) {
      const lists = listed(server);
      if (lists !== undefined && !(await this.writeOne(server, recordOf(spec, lists)))) isDone = false;
    }
    if (!isDone) this.writeIn(RETRY_MS);
  }

  /** Resolves to false when another try may succeed. */
  private async writeOne(server: string, record: Buffer): Promise<boolean> {
    const digest = digestOf(record);
    if (this.written.get(server) === digest) return true;
    if (record.length > MAX_BYTES) {
      this.failed(server, new Error(`its lists have ${record.length} bytes, and the limit is ${MAX_BYTES}`));
      return true;
    }
    try {
      await put(await this.opened(), keyOf(server), record);
      this.written.set(server, digest);
      return true;
    } catch (error) {
      this.failed(server, error);
      return false;
    }
  }

  private opened(): Promise<Bucket> {
    this.bucket ??= this.parts.open().catch((error: unknown) => {
      this.bucket = undefined;
      throw error;
    });
    return this.bucket;
  }

  private failed(server: string, error: unknown): void {
    const problem = messageOf(error);
    this.parts.logger.log('debug', 'the lists of a server are not in the cluster', { server, problem });
  }
}

/** Another node that writes at this moment has newer lists. */
async function put(bucket: Bucket, key: string, value: Uint8Array): Promise<void> {
  const known = await bucket.get(key);
  try {
    if (known === undefined) await bucket.create(key, value);
    else if (!Buffer.from(known.value).equals(value)) await bucket.update(key, value, known.revision);
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'CONFLICT') throw error;
  }
}

function recordOf(spec: unknown, lists: RememberedLists): Buffer {
  const kept = LIST_KINDS.flatMap((kind) =>
    lists[kind] === undefined ? [] : [[kind, lists[kind]] as const],
  );
  return Buffer.from(JSON.stringify({ spec: specDigest(spec), lists: Object.fromEntries(kept) }));
}

/** Lists of another spec are those of another program. */
function listsOf(value: Uint8Array, spec: unknown): RememberedLists | undefined {
  const record: unknown = JSON.parse(Buffer.from(value).toString());
  if (!isRecord(record) || record['spec'] !== specDigest(spec) || !isRecord(record['lists']))
    return undefined;
  const { lists } = record;
  const texts = LIST_KINDS.map((kind) => [kind, textsOf(lists[kind])] as const);
  return Object.fromEntries(texts.filter(([, listed]) => listed.length > 0));
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function specDigest(spec: unknown): string {
  return digestOf(JSON.stringify(spec) ?? '');
}

function digestOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url');
}
