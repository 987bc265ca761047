// The floor of a relay: a process that connects to a socket and copies both directions, looking at nothing.
//
// usage: bare-relay SOCKET [OPENING]
//
// With an opening, that is the first line sent, and the first line that comes back is dropped.
import { createConnection } from 'node:net';
import process from 'node:process';

const [path = '', opening] = process.argv.slice(2);
const socket = createConnection(path);
const copy = (): void => {
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
};
if (opening === undefined) copy();
else {
  socket.write(`${opening}\n`);
  socket.once('data', (chunk: Buffer) => {
    socket.pause();
    const rest = chunk.subarray(chunk.indexOf(0x0a) + 1);
    if (rest.length > 0) socket.unshift(rest);
    copy();
  });
}
