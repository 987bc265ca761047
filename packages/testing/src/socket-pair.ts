import { once } from 'node:events';
import {
  connect,
  createServer,
  type ListenOptions,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { basename, join } from 'node:path';
import process from 'node:process';

import { temporaryFolder } from './temporary-folder.js';

/** The two ends of one connection. When one end has ended its stream, the other end can still send. */
export interface SocketPair extends AsyncDisposable {
  readonly clientEnd: Socket;
  readonly serverEnd: Socket;
}

/** Opens a {@link SocketPair} over TCP. Disposing of the pair closes both ends. */
export function openSocketPair(): Promise<SocketPair> {
  return connectPair({ host: '127.0.0.1', port: 0 }, (server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
    return { host: address.address, port: address.port, noDelay: true };
  });
}

/**
 * Opens a {@link SocketPair} over a Unix socket or a Windows named pipe, the transports that child processes' pipes
 * use.
 */
export async function openPipePair(): Promise<SocketPair> {
  await using folder = await temporaryFolder();
  const isWindows = process.platform === 'win32';
  const path = isWindows ? `\\\\.\\pipe\\${basename(folder.path)}` : join(folder.path, 'pipe');
  return await connectPair({ path }, () => ({ path }));
}

async function connectPair(
  listenOptions: ListenOptions,
  connectOptionsFor: (server: Server) => NetConnectOpts,
): Promise<SocketPair> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(listenOptions);
  await once(server, 'listening');
  const clientEnd = connect({ ...connectOptionsFor(server), allowHalfOpen: true });
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const [serverEnd] = await Promise.all([accepted, once(clientEnd, 'connect')]);
  server.close();
  return {
    clientEnd,
    serverEnd,
    async [Symbol.asyncDispose]() {
      for (const socket of [clientEnd, serverEnd]) {
        const closed = socket.closed ? undefined : once(socket, 'close');
        socket.destroy();
        await closed;
      }
    },
  };
}
