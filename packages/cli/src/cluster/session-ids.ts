import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const RANDOM_BYTES = 16;
const MAC_BYTES = 12;

/** Ids of sessions that name their node: every node of the cluster can read them, and nobody else can make them. */
export class SessionIds {
  /** @param key of the cluster */
  constructor(private readonly key: Uint8Array) {}

  /** A new id of a session of a node. */
  next(node: string): string {
    const head = `${randomBytes(RANDOM_BYTES).toString('hex')}.${node}`;
    return `${head}.${this.mac(head).toString('base64url')}`;
  }

  /** The node of a session; undefined for an id that this cluster has not made. */
  nodeOf(id: string): string | undefined {
    const [random, node, mac, ...rest] = id.split('.');
    if (random === undefined || node === undefined || mac === undefined || rest.length > 0) return undefined;
    const given = Buffer.from(mac, 'base64url');
    const right = this.mac(`${random}.${node}`);
    return given.length === right.length && timingSafeEqual(given, right) ? node : undefined;
  }

  private mac(head: string): Buffer {
    return createHmac('sha256', this.key).update(head).digest().subarray(0, MAC_BYTES);
  }
}
