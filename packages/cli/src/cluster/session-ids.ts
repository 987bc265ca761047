import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const RANDOM_BYTES = 16;
const MAC_BYTES = 12;

/** Creates and verifies session ids, which contain the id of their node. Only the nodes know the signing key. */
export class SessionIds {
  /** @param key the cluster's secret */
  constructor(private readonly key: Uint8Array) {}

  /** Returns a new session id for a node. */
  create(node: string): string {
    const payload = `${randomBytes(RANDOM_BYTES).toString('hex')}.${node}`;
    return `${payload}.${this.macOf(payload).toString('base64url')}`;
  }

  /** Returns the node that a session belongs to, or undefined for an id that this cluster did not create. */
  nodeOf(id: string): string | undefined {
    const [random, node, mac, ...rest] = id.split('.');
    if (random === undefined || node === undefined || mac === undefined || rest.length > 0) return undefined;
    const actualMac = Buffer.from(mac, 'base64url');
    const expectedMac = this.macOf(`${random}.${node}`);
    return actualMac.length === expectedMac.length && timingSafeEqual(actualMac, expectedMac)
      ? node
      : undefined;
  }

  private macOf(payload: string): Buffer {
    return createHmac('sha256', this.key).update(payload).digest().subarray(0, MAC_BYTES);
  }
}
