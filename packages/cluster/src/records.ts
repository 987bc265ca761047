import { isRecord } from '@mcpmux/kit';

/** Where a server may run, and what happens when its node is gone. */
export interface PlacementRules {
  /** Name of the only node that may run it. */
  readonly host?: string | undefined;
  /** Labels that its node must have. */
  readonly labels?: readonly string[] | undefined;
  /** `never`: it waits for a node of the same name. It moves to another node when absent. */
  readonly failover?: 'never' | undefined;
  /** True: it stops when its node cannot prove that it still owns the server. False when absent: it runs on. */
  readonly singleton?: boolean | undefined;
}

/** A server that the cluster is to run. */
export interface ServerRecord extends PlacementRules {
  /** The description by which a node runs the server. Opaque to the cluster; contains references to secrets, and no secret. */
  readonly spec: unknown;
}

/** A node, as it describes itself. */
export interface NodeRecord {
  /** Name that the operator has given. A node that starts again has the same name and another id. */
  readonly name: string;
  readonly labels: readonly string[];
  /** The most servers that it runs. */
  readonly capacity: number;
  /** True if the node gives its servers away and gets no more. */
  readonly isDraining: boolean;
  /** Servers that it runs. */
  readonly servers: number;
  readonly version: string;
  /** Wall clock time of its start, ISO 8601. */
  readonly started: string;
  /** Number of this sign of life. Revisions cannot tell them apart: an engine may number its copies differently. */
  readonly renewal: number;
}

/** A node as it is at one moment. */
export type NodeState = Omit<NodeRecord, 'renewal'>;

/** The node that runs a server. */
export interface OwnerRecord {
  /** Id of the node. */
  readonly node: string;
  /** Name of the node. */
  readonly name: string;
  /** Number of the ownership: higher than that of every earlier one of the server. */
  readonly epoch: number;
}

/** Nobody runs a server: its last owner has given it away. The epoch stays for the next one. */
export type VacantRecord = Pick<OwnerRecord, 'epoch'>;

/** The bytes of a record. */
export function encodeRecord(record: ServerRecord | NodeRecord | OwnerRecord | VacantRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** The key of a name: other characters than those of keys as `=XX`, the bytes of their UTF-8. */
export function keyOf(name: string): string {
  const escaped = encodeURIComponent(name).replaceAll(
    /[.!~*'()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return escaped.replaceAll('%', '=');
}

/** The name of a key. A key that nobody has made of a name is its own name. */
export function nameOf(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('=', '%'));
  } catch {
    return key;
  }
}

/** A record of a server; undefined for bytes that are none. Members that are not known stay unread. */
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

/** A record of a node; undefined for bytes that are none. */
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

/** A record of an owner; undefined for bytes that are none. */
export function ownerRecord(value: Uint8Array): OwnerRecord | undefined {
  const record = parsed(value);
  const [node, epoch] = [textOf(record?.['node']), numberOf(record?.['epoch'])];
  if (node === undefined || epoch === undefined) return undefined;
  return { node, name: textOf(record?.['name']) ?? node, epoch };
}

/** The epoch in the record of an owner, also of the last one; 0 for bytes that have none. */
export function epochOf(value: Uint8Array | undefined): number {
  return numberOf(value && parsed(value)?.['epoch']) ?? 0;
}

function parsed(value: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const record: unknown = JSON.parse(Buffer.from(value).toString());
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
