// The floor: a process that runs a server and copies both directions, looking at nothing.
//
// usage: byte-pipe COMMAND [ARGUMENT...]
import { spawn } from 'node:child_process';
import process from 'node:process';

const [command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin);
server.stdout.pipe(process.stdout);
