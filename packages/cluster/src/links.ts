import { randomUUID } from 'node:crypto';

import type { Clock } from '@mcpmux/kit';

import { ClusterError, type Cluster, type Mailbox, type Receiver } from './cluster.js';
import { decodeFrame, encodeFrame, type LinkRequest } from './frames.js';
import { ClusterLink, NODE_ENDED_REASON } from './link.js';

/** The maximum time for a node to accept a link, or to respond to a check, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 5000;

/** Returns a function that serves the link, or the reason for refusing it. */
export type ServeLink = (hello: LinkRequest) => ((link: ClusterLink) => void) | string;

/** The dependencies of {@link Links}. */
export interface LinksParts {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** The id of this node. */
  readonly node: string;
  readonly serve: ServeLink;
}

/** The links between this node and the other nodes. */
export class Links {
  private readonly openLinks = new Set<ClusterLink>();
  private readonly mailbox: Mailbox;
  private readonly stopListening: () => void;

  constructor(private readonly parts: LinksParts) {
    const { cluster, node } = parts;
    this.mailbox = cluster.mailbox(nodeAddress(node), {
      message: (data, from) => this.handleHello(data, from),
      nobody: () => undefined,
    });
    // After a reconnect, check at once whether messages were lost.
    this.stopListening = cluster.onConnection((isConnected) => {
      if (isConnected) for (const link of this.openLinks) link.reconnected();
    });
  }

  get size(): number {
    return this.openLinks.size;
  }

  /**
   * Opens a link to a node.
   *
   * @throws ClusterError NOBODY if the node is absent, REFUSED if it refuses, UNAVAILABLE if it does not respond in
   * time or if this node is disconnected
   */
  async open(node: string, hello: LinkRequest): Promise<ClusterLink> {
    if (!this.parts.cluster.isConnected)
      throw new ClusterError('UNAVAILABLE', 'The connection of this node to the cluster is lost.');
    const link = this.createLink(node);
    // An `error` event without a listener would crash the process. `accepted` rejects with the same error.
    link.on('error', () => undefined);
    link.post({ kind: 'hello', hello: { ...hello, node: this.parts.node } }, nodeAddress(node));
    const timer = this.parts.clock.schedule(
      () => link.destroy(new ClusterError('UNAVAILABLE', `Node ${node} did not answer in time.`)),
      RESPONSE_TIMEOUT_MS,
    );
    try {
      await link.accepted;
      return link;
    } finally {
      timer.cancel();
    }
  }

  /** Checks the links to a node that may be gone. Ends them if the node does not respond in time. */
  doubt(node: string): void {
    for (const link of this.openLinks) if (link.node === node) link.check(RESPONSE_TIMEOUT_MS);
  }

  /** Ends all links and accepts no more. */
  close(): void {
    this.stopListening();
    this.mailbox.close();
    for (const link of this.openLinks) link.destroy(new ClusterError('CLOSED', NODE_ENDED_REASON));
  }

  private createLink(node: string, peer?: string): ClusterLink {
    const { cluster, clock } = this.parts;
    const address = `link.${randomUUID()}`;
    const open = (receiver: Receiver): Mailbox => cluster.mailbox(address, receiver);
    const { maxMessageBytes } = cluster;
    const link = new ClusterLink({ clock, maxMessageBytes, open, node, ...(peer !== undefined && { peer }) });
    this.openLinks.add(link);
    link.once('close', () => this.openLinks.delete(link));
    return link;
  }

  private handleHello(data: Uint8Array, from: string): void {
    const frame = decodeFrame(data);
    if (frame?.kind !== 'hello') return;
    const handlerOrReason = this.serve(frame.hello);
    if (typeof handlerOrReason === 'string')
      return this.mailbox.send(from, encodeFrame({ kind: 'refuse', reason: handlerOrReason }));
    const { node } = frame.hello;
    const link = this.createLink(typeof node === 'string' ? node : 'unknown', from);
    link.on('error', () => undefined);
    link.post({ kind: 'accept' });
    handlerOrReason(link);
  }

  private serve(hello: LinkRequest): ReturnType<ServeLink> {
    try {
      return this.parts.serve(hello);
    } catch (error) {
      return error instanceof Error ? error.message : 'the node could not serve the link';
    }
  }
}

function nodeAddress(node: string): string {
  return `node.${node}`;
}
