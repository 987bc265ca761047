// src/programs/url-relay.ts
import { Agent, request } from "http";
import process from "process";
var NEWLINE = 10;
var DATA = "data: ";
var agent = new Agent({ keepAlive: true });
var [url = ""] = process.argv.slice(2);
var { hostname, port, pathname } = new URL(url);
var headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
var target = { agent, hostname, port, path: pathname, method: "POST", headers };
var rest = [];
process.stdin.on("data", (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
    forward(Buffer.concat([...rest, chunk.subarray(start, end)]));
    rest = [];
    start = end + 1;
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
});
function forward(line) {
  const sent = request(target, (response) => {
    const parts = [];
    response.on("data", (part) => parts.push(part));
    response.on("end", () => {
      const body = Buffer.concat(parts);
      const data = body.indexOf(DATA);
      if (response.headers["content-type"] === "text/event-stream")
        process.stdout.write(body.subarray(data + DATA.length, -1));
      else if (body.length > 0) process.stdout.write(Buffer.concat([body, Buffer.of(NEWLINE)]));
    });
  });
  sent.end(line);
}
//# sourceMappingURL=url-relay.js.map