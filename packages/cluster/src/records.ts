import { isRecord, parsedJson } from '@mcpmux/kit';

/** Rules for where a server may run, and for the loss of its node. */
export interface PlacementRules {
  /** Name of the only node that may run the server. */
  readonly host?: string | undefined;
  /** Labels that the node must have. */
  readonly labels?: readonly string[] | undefined;
  /** `never`: the server waits for a node of the same name. When absent, it moves to another node. */
  readonly failover?: 'never' | undefined;
  /**
   * If true, the server stops when its node cannot prove that it still owns the server. Otherwise, it keeps running.
   */
  readonly singleton?: boolean | undefined;
}

/** A server that the cluster must run. */
export interface ServerRecord extends PlacementRules {
  /**
   * The description from which a node runs the server. Opaque to the cluster. Has references to secrets but no secrets.
   */
  readonly spec: unknown;
}

/** A node, as it describes itself. */
export interface NodeRecord {
  /** Name set by the operator. A restarted node has the same name and another id. */
  readonly name: string;
  readonly labels: readonly string[];
  /** Maximum number of servers that the node runs. */
  readonly capacity: number;
  /** True if the node releases its servers and gets no more. */
  readonly isDraining: boolean;
  /** Number of servers that the node runs. */
  readonly servers: number;
  readonly version: string;
  /** Wall clock time of its start, ISO 8601. */
  readonly started: string;
  /** Number of this sign of life. Revisions cannot replace it, because an engine may number its copies differently. */
  readonly renewal: number;
}

/** The state of a node at one moment. */
export type NodeState = Omit<NodeRecord, 'renewal'>;

/** The node that runs a server. */
export interface OwnerRecord {
  /** Id of the node. */
  readonly node: string;
  /** Name of the node. */
  readonly name: string;
  /** Number of the ownership. It is higher than all earlier numbers for the server. */
  readonly epoch: number;
}

/**
 * The record of a server without an owner, because its last owner has released it. The epoch stays for the next owner.
 */
export type VacantRecord = Pick<OwnerRecord, 'epoch'>;

/** Returns the bytes of a record. */
export function encodeRecord(record: ServerRecord | NodeRecord | OwnerRecord | VacantRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** Returns the key for a name. Characters that a key cannot have are written as `=XX`, by their UTF-8 bytes. */
export function keyOf(name: string): string {
  const escaped = encodeURIComponent(name).replaceAll(
    /[.!~*'()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return escaped.replaceAll('%', '=');
}

/** Returns the name for a key. A key that was not made from a name is returned unchanged. */
export function nameOf(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('=', '%'));
  } catch {
    return key;
  }
}

/** Parses the record of a server; undefined for other bytes. Unknown members are ignored. */
export function serverRecord(value: Uint8Array): ServerRecord | undefined {
  const record = parsed(value);
  if (record === undefined || !('spec' in record)) return undefined;
  const { spec, host, labels, failover, singleton } = record;
  return {
    spec,
    host: textOf(host),
    labels: Array.isArray(labels) ? textsOf(labels) : undefined,
    failover: failover === 'never' ? failover : undefined,
    singleton: singleton === true,
  };
}

/** Parses the record of a node; undefined for other bytes. */
export function nodeRecord(value: Uint8Array): NodeRecord | undefined {
  const record = parsed(value);
  const name = textOf(record?.['name']);
  if (record === undefined || name === undefined) return undefined;
  const { labels, capacity, isDraining, servers, version, started, renewal } = record;
  return {
    name,
    labels: textsOf(labels),
    capacity: numberOf(capacity) ?? 0,
    isDraining: isDraining === true,
    servers: numberOf(servers) ?? 0,
    version: textOf(version) ?? '',
    started: textOf(started) ?? '',
    renewal: numberOf(renewal) ?? 0,
  };
}

/** Parses the record of an owner; undefined for other bytes. */
export function ownerRecord(value: Uint8Array): OwnerRecord | undefined {
  const record = parsed(value);
  const [node, epoch] = [textOf(record?.['node']), numberOf(record?.['epoch'])];
  if (node === undefined || epoch === undefined) return undefined;
  return { node, name: textOf(record?.['name']) ?? node, epoch };
}

/** Returns the epoch in an ownership record, even if the record has no owner; 0 for bytes without an epoch. */
export function epochOf(value: Uint8Array | undefined): number {
  return numberOf(value && parsed(value)?.['epoch']) ?? 0;
}

function parsed(value: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const record = parsedJson(Buffer.from(value).toString());
  return isRecord(record) ? record : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the strings of an array. Any other value has none. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
