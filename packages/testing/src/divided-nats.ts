import { findFreePorts } from './free-ports.js';
import { clusterBlock, createNatsServer, type NatsServer } from './nats-server.js';
import { openTcpGate } from './tcp-gate.js';

/** Three NATS servers, of which the first can be cut off from the other two. */
export interface DividedNats extends AsyncDisposable {
  readonly servers: readonly [NatsServer, NatsServer, NatsServer];
  /** Breaks the network between the first server and the other two. */
  divide(): void;
  /** Restores the network. */
  reconnect(): void;
}

/** Starts three NATS servers. All routes to and from the first server lead through a proxy that can be closed. */
export async function startDividedNats(): Promise<DividedNats> {
  const [p0 = 0, p1 = 0, p2 = 0, m0 = 0, m1 = 0, m2 = 0, r0 = 0, r1 = 0, r2 = 0] = await findFreePorts(9);
  const [g0, g1, g2] = [await openTcpGate(r0), await openTcpGate(r1), await openTcpGate(r2)];
  const gates = [g0, g1, g2];
  const servers = [
    createNatsServer({
      name: 'n0',
      port: p0,
      monitorPort: m0,
      cluster: clusterBlock(r0, [g1.port, g2.port], g0.port),
    }),
    createNatsServer({
      name: 'n1',
      port: p1,
      monitorPort: m1,
      cluster: clusterBlock(r1, [g0.port, r2], g1.port),
    }),
    createNatsServer({
      name: 'n2',
      port: p2,
      monitorPort: m2,
      cluster: clusterBlock(r2, [g0.port, r1], g2.port),
    }),
  ] as const;
  await Promise.all(servers.map((server) => server.start()));
  return {
    servers,
    divide: () => {
      for (const gate of gates) gate.shut();
    },
    reconnect: () => {
      for (const gate of gates) gate.open();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...servers, ...gates].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
