import {
  payloadOf
} from "../chunk-BZ7N6L4Y.js";

// src/programs/url-server.ts
import { createServer } from "http";
import process from "process";
var [port = "0", payload = "", flag] = process.argv.slice(2);
var isStream = flag === "--stream";
var headers = {
  "content-type": isStream ? "text/event-stream" : "application/json",
  "mcp-session-id": "bench"
};
var callResult = JSON.stringify(payloadOf(payload).result());
var TOOL = { name: "echo", inputSchema: { type: "object", properties: { message: { type: "string" } } } };
createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
    if (id === void 0) return void response.writeHead(202).end();
    const result = method === "tools/call" ? callResult : JSON.stringify(resultOf(method, params));
    const message = `{"result":${result},"jsonrpc":"2.0","id":${id}}`;
    response.writeHead(200, headers).end(isStream ? `event: message
data: ${message}

` : message);
  });
}).listen(Number(port), "127.0.0.1");
function resultOf(method, params) {
  if (method === "tools/list") return { tools: [TOOL] };
  if (method !== "initialize") return {};
  const serverInfo = { name: "bench-url", version: "1" };
  return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
}
process.once("SIGTERM", () => process.exit(0));
//# sourceMappingURL=url-server.js.map