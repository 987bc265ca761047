// The floor over HTTP: each POST is a line for the server, and its answer the body of the response. All that is looked
// at is the id, which has to be another one for every request of all clients.
//
// usage: http-relay PORT COMMAND [ARGUMENT...]
import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import process from 'node:process';

const NEWLINE = 0x0a;
const ID = /"id":(\d+)/;
const JSON_HEADERS = { 'content-type': 'application/json' };

const [port = '0', command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<string, ServerResponse>();

createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    const [, id] = ID.exec(body) ?? [];
    if (id === undefined) response.writeHead(202).end();
    else waiting.set(id, response);
    server.stdin.write(`${body}\n`);
  });
}).listen(Number(port), '127.0.0.1');

let rest: Buffer[] = [];
server.stdout.on('data', (chunk: Buffer) => {
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
    answer(Buffer.concat([...rest, chunk.subarray(start, end)]));
    rest = [];
    start = end + 1;
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
});

function answer(line: Buffer): void {
  const [, id = ''] = ID.exec(line.toString()) ?? [];
  waiting.get(id)?.writeHead(200, JSON_HEADERS).end(line);
  waiting.delete(id);
}

process.once('SIGTERM', () => process.exit(0));
