// The floor towards a server at a url: each line is the body of a POST over connections that are kept, and the body of
// the response, or the data of its one event, is a line. Nothing else is looked at.
//
// usage: url-relay URL
import { Agent, request } from 'node:http';
import process from 'node:process';

const NEWLINE = 0x0a;
const DATA = 'data: ';
const agent = new Agent({ keepAlive: true });
const [url = ''] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(url);
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const target = { agent, hostname, port, path: pathname, method: 'POST', headers };

let rest: Buffer[] = [];
process.stdin.on('data', (chunk: Buffer) => {
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
    forward(Buffer.concat([...rest, chunk.subarray(start, end)]));
    rest = [];
    start = end + 1;
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
});

function forward(line: Buffer): void {
  const sent = request(target, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => {
      const body = Buffer.concat(parts);
      const data = body.indexOf(DATA);
      if (response.headers['content-type'] === 'text/event-stream')
        process.stdout.write(body.subarray(data + DATA.length, -1));
      else if (body.length > 0) process.stdout.write(Buffer.concat([body, Buffer.of(NEWLINE)]));
    });
  });
  sent.end(line);
}
