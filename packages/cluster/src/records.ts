import { isRecord, parsedJson } from '@mcpmux/kit';

/** The rules for choosing a server's node and for moving the server when that node is lost. */
export interface PlacementRules {
  /** The name of the only node that may run the server. */
  readonly host?: string | undefined;
  /** Labels that the node must have. */
  readonly labels?: readonly string[] | undefined;
  /** With `never`, a server whose node is lost waits for a node with the same name. By default, it moves. */
  readonly failover?: 'never' | undefined;
  /** If true, the server stops when its node cannot renew its lease, so that it never runs on two nodes. */
  readonly singleton?: boolean | undefined;
}

/** A server that the cluster must run. */
export interface ServerRecord extends PlacementRules {
  /** Describes how a node runs the server. Opaque to the cluster. May refer to secrets, but contains none. */
  readonly spec: unknown;
}

/** The record in which a node describes itself. */
export interface NodeRecord {
  /** The name set by the operator. A restarted node has the same name and a new id. */
  readonly name: string;
  readonly labels: readonly string[];
  /** The maximum number of servers that the node runs. */
  readonly capacity: number;
  /** True if the node is releasing its servers and does not claim others. */
  readonly isDraining: boolean;
  /** The number of servers that the node runs. */
  readonly servers: number;
  readonly version: string;
  /** The time at which the node started, in ISO 8601. */
  readonly started: string;
  /** Counts the lease renewals. Revisions are unsuitable, because they may differ between an engine's replicas. */
  readonly renewal: number;
}

/** A node record without the number of the renewal. */
export type NodeState = Omit<NodeRecord, 'renewal'>;

/** The record that names a server's owner. */
export interface OwnerRecord {
  /** The id of the node. */
  readonly node: string;
  /** The name of the node. */
  readonly name: string;
  /** Identifies the ownership. Exceeds all earlier epochs of the server. */
  readonly epoch: number;
}

/** The owner record of a released server. It preserves the epoch, which the next owner must exceed. */
export type VacantRecord = Pick<OwnerRecord, 'epoch'>;

/** Encodes a record as JSON. */
export function encodeRecord(record: ServerRecord | NodeRecord | OwnerRecord | VacantRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** Returns the key for a name. Characters that are invalid in keys are encoded as one `=XX` per UTF-8 byte. */
export function keyOf(name: string): string {
  const escaped = encodeURIComponent(name).replaceAll(
    /[.!~*'()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return escaped.replaceAll('%', '=');
}

/** Returns the name for a key. A key that cannot be decoded is returned unchanged. */
export function nameOf(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('=', '%'));
  } catch {
    return key;
  }
}

/** Parses a server record. Returns undefined if the bytes are not one. Ignores unknown members. */
export function serverRecord(value: Uint8Array): ServerRecord | undefined {
  const record = parseRecord(value);
  if (record === undefined || !('spec' in record)) return undefined;
  const { spec, host, labels, failover, singleton } = record;
  return {
    spec,
    host: stringOrUndefined(host),
    labels: Array.isArray(labels) ? stringsOf(labels) : undefined,
    failover: failover === 'never' ? failover : undefined,
    singleton: singleton === true,
  };
}

/** Parses a node record. Returns undefined if the bytes are not one. */
export function nodeRecord(value: Uint8Array): NodeRecord | undefined {
  const record = parseRecord(value);
  const name = stringOrUndefined(record?.['name']);
  if (record === undefined || name === undefined) return undefined;
  const { labels, capacity, isDraining, servers, version, started, renewal } = record;
  return {
    name,
    labels: stringsOf(labels),
    capacity: numberOrUndefined(capacity) ?? 0,
    isDraining: isDraining === true,
    servers: numberOrUndefined(servers) ?? 0,
    version: stringOrUndefined(version) ?? '',
    started: stringOrUndefined(started) ?? '',
    renewal: numberOrUndefined(renewal) ?? 0,
  };
}

/** Parses an owner record. Returns undefined if the bytes do not name an owner. */
export function ownerRecord(value: Uint8Array): OwnerRecord | undefined {
  const record = parseRecord(value);
  const [node, epoch] = [stringOrUndefined(record?.['node']), numberOrUndefined(record?.['epoch'])];
  if (node === undefined || epoch === undefined) return undefined;
  return { node, name: stringOrUndefined(record?.['name']) ?? node, epoch };
}

/** Returns the epoch in an owner record, even if the record names no owner, or 0 if it contains no epoch. */
export function epochOf(value: Uint8Array | undefined): number {
  return numberOrUndefined(value && parseRecord(value)?.['epoch']) ?? 0;
}

function parseRecord(value: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const record = parsedJson(Buffer.from(value).toString());
  return isRecord(record) ? record : undefined;
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the strings in an array, or an empty array for any other value. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
