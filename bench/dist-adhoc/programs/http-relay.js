// src/programs/http-relay.ts
import { spawn } from "child_process";
import { createServer } from "http";
import process from "process";
var NEWLINE = 10;
var ID = /"id":(\d+)/;
var JSON_HEADERS = { "content-type": "application/json" };
var [port = "0", command = "", ...args] = process.argv.slice(2);
var server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
var waiting = /* @__PURE__ */ new Map();
createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString();
    const [, id] = ID.exec(body) ?? [];
    if (id === void 0) response.writeHead(202).end();
    else waiting.set(id, response);
    server.stdin.write(`${body}
`);
  });
}).listen(Number(port), "127.0.0.1");
var rest = [];
server.stdout.on("data", (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
    answer(Buffer.concat([...rest, chunk.subarray(start, end)]));
    rest = [];
    start = end + 1;
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
});
function answer(line) {
  const [, id = ""] = ID.exec(line.toString()) ?? [];
  waiting.get(id)?.writeHead(200, JSON_HEADERS).end(line);
  waiting.delete(id);
}
process.once("SIGTERM", () => process.exit(0));
//# sourceMappingURL=http-relay.js.map