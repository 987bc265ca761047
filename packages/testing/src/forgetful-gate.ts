import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy that can lose its connection state, like a load balancer that silently drops idle connections. */
export interface ForgetfulGate extends AsyncDisposable {
  readonly port: number;
  /** The number of connections opened so far. */
  readonly openedCount: number;
  /** Makes the proxy reset each current connection when its next byte arrives. */
  forget(): void;
}

/** Opens a proxy to a port of this machine. */
export async function openForgetfulGate(target: number): Promise<ForgetfulGate> {
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let opened = 0;
  const server = createServer((incoming) => {
    opened += 1;
    sockets.add(incoming);
    const outgoing = connect(target, '127.0.0.1');
    incoming.on('error', () => undefined).once('close', () => outgoing.destroy());
    outgoing.on('error', () => undefined).once('close', () => incoming.destroy());
    incoming.once('close', () => sockets.delete(incoming));
    incoming.on('data', (bytes: Buffer) => {
      if (forgotten.has(incoming)) incoming.resetAndDestroy();
      else outgoing.write(bytes);
    });
    outgoing.pipe(incoming);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has an AddressInfo
    port: (server.address() as AddressInfo).port,
    get openedCount() {
      return opened;
    },
    forget: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
