import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const RANDOM_BYTES = 16;
const MAC_BYTES = 12;

/**
 * Session ids that name their node. Every node of the cluster can read them. Only nodes of the cluster can create valid
 * ids.
 */
export class SessionIds {
  /** @param key the cluster's secret */
  constructor(private readonly key: Uint8Array) {}

  /** Returns a new session id for a node. */
  next(node: string): string {
    const head = `${randomBytes(RANDOM_BYTES).toString('hex')}.${node}`;
    return `${head}.${this.mac(head).toString('base64url')}`;
  }

  /** Returns the node of a session. Undefined for an id that this cluster did not create. */
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
