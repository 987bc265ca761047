// One node of the simulation: servers, links to the servers of other nodes, and sessions.
import { ClusterNode, connectToFront, Links } from './code.mjs';
import { delayedCluster } from './network.mjs';

const TRIES_AGAIN_MS = 50;
const CONNECTS_AGAIN_MS = 1000;
const SILENT = { enabled: () => false, log: () => undefined };

/** The settings of a node and what its servers are for: `isLinked` chooses the servers to which other nodes have links. */
export class SimulatedNode {
  /** The links to servers of other nodes. */
  far = new Map();
  places = new Map();

  constructor(network, options, { random, ids, isLinked, onRun, onCallEnded }) {
    const { id, clock } = options;
    Object.assign(this, { id, clock, ids, isLinked, onRun, onCallEnded });
    this.cluster = delayedCluster(network.join(), clock, random);
    this.links = new Links({ cluster: this.cluster, clock, node: id, serve: (hello) => this.serve(hello) });
    this.node = new ClusterNode(
      this.cluster,
      { labels: [], version: '1.0.0', logger: SILENT, ...options },
      this,
    );
  }

  get isOver() {
    return this.cluster.isOver;
  }

  /** The host of the node: what a mux does in mcpmux. */
  async place(server, place) {
    if (this.isOver) return;
    const last = this.places.get(server);
    this.places.set(server, place);
    const isMoved = last?.kind === 'there' && (place.kind !== 'there' || place.node !== last.node);
    if (isMoved) this.links.doubt(last.node);
    if (place.kind === 'here') this.onRun(server, this.id);
    if (!this.isLinked(server)) return;
    // Nothing ends a link to a node that may be gone, but the doubt of the node.
    if (place.kind === 'here' || place.kind === 'there') this.far.get(server)?.link.destroy();
    if (place.kind === 'there') void this.connect(server, place);
  }

  /** A simulated server ends at once. */
  hasten() {}

  /** Opens links to servers of other nodes. */
  link(servers) {
    for (const server of servers) {
      const place = this.places.get(server);
      if (place?.kind === 'there') void this.connect(server, place);
    }
  }

  async connect(server, place) {
    while (this.places.get(server) === place && !this.isOver)
      try {
        const link = await this.links.open(place.node, { server, epoch: place.epoch });
        const far = { link, node: place.node, calledAt: undefined };
        this.far.set(server, far);
        link.resume().once('close', () => {
          if (far.calledAt !== undefined) this.onCallEnded(far.node);
          if (this.far.get(server) === far) this.far.delete(server);
        });
        return;
      } catch (error) {
        await this.clock.pause(error.code === 'REFUSED' ? TRIES_AGAIN_MS : CONNECTS_AGAIN_MS);
      }
  }

  /** Calls the servers of a node, which does not answer. */
  call(node) {
    let calls = 0;
    for (const far of this.far.values())
      if (far.node === node) {
        far.calledAt = this.clock.now();
        far.link.write('a call');
        calls += 1;
      }
    return calls;
  }

  serve({ server, epoch, front }) {
    if (front === true) return (link) => link.once('data', () => link.end('an answer')).resume();
    const place = this.places.get(server);
    const runs = place?.kind === 'here' && place.epoch === epoch;
    return runs ? (link) => void link.resume() : 'this node does not run it';
  }

  /** Answers a request of a session as the front of a node does: `here`, `forwarded`, `gone` (404) or `unknown` (503). */
  async request(sessionId) {
    const node = this.ids.nodeOf(sessionId);
    if (node === this.id) return 'here';
    try {
      const link = await connectToFront(
        () => this.links.open(node, { front: true }),
        () => this.node.isGone(node),
        this.clock.pause,
      );
      if (link === 'gone') return 'gone';
      link.on('error', () => undefined);
      link.end('a request');
      for await (const _ of link);
      return 'forwarded';
    } catch {
      return 'unknown';
    }
  }
}
