import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy that a test can close to simulate a broken network connection. */
export interface TcpGate extends AsyncDisposable {
  readonly port: number;
  /** Breaks the open connections and refuses new ones. */
  shut(): void;
  open(): void;
}

/** Opens a proxy to a port of this machine. */
export async function openTcpGate(target: number): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((incoming) => {
    if (!isOpen) return void incoming.destroy();
    const outgoing = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    incoming.pipe(outgoing);
    outgoing.pipe(incoming);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has an AddressInfo
    port: (server.address() as AddressInfo).port,
    shut: () => {
      isOpen = false;
      cut();
    },
    open: () => void (isOpen = true),
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
