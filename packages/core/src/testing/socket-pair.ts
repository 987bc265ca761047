import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Two ends of one connection of the operating system. Each side stays open when the other has ended its own. */
export interface SocketPair extends AsyncDisposable {
  readonly near: Socket;
  readonly far: Socket;
}

/** Opens a {@link SocketPair}; disposing of it closes both ends. */
export async function socketPair(): Promise<SocketPair> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  const near = connect({ host: address.address, port: address.port, allowHalfOpen: true, noDelay: true });
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const [far] = await Promise.all([accepted, once(near, 'connect')]);
  server.close();
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      for (const socket of [near, far]) {
        const closed = socket.closed ? undefined : once(socket, 'close');
        socket.destroy();
        await closed;
      }
    },
  };
}
