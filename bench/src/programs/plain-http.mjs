// Answers each POST with its own body: what a call between two processes costs at the least.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.concat(parts)),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
