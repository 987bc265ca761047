// Loaded before a peer that would listen on every interface and has no option for it: whatever it listens on, only
// this machine can reach it.
import { Server } from 'node:net';

// oxlint-disable-next-line typescript/unbound-method -- called with its receiver below
const { listen } = Server.prototype;

Server.prototype.listen = function listenOnLoopback(this: Server, port: unknown, ...rest: unknown[]): Server {
  const listener = rest.find((argument) => typeof argument === 'function');
  return Reflect.apply(listen, this, [Number(port), '127.0.0.1', listener]) as Server;
};
