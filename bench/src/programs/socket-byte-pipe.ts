// A byte pipe behind a socket: runs a server for its only connection and copies both directions, looking at nothing.
//
// usage: socket-byte-pipe SOCKET COMMAND [ARGUMENT...]
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import process from 'node:process';

const [path = '', command = '', ...args] = process.argv.slice(2);
const listener = createServer((connection) => {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  connection.pipe(server.stdin);
  server.stdout.pipe(connection);
  listener.close();
});
listener.listen(path, () => process.stdout.write('listening\n'));
