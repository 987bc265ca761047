import {
  payloadOf
} from "../chunk-BZ7N6L4Y.js";

// src/programs/echo-server.ts
import process from "process";
import { parseArgs } from "util";
var NEWLINE = 10;
var { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    "id-first": { type: "boolean", default: false },
    modern: { type: "boolean", default: false },
    tools: { type: "string", default: "1" }
  }
});
var [payload = ""] = positionals;
var isIdFirst = values["id-first"];
var toolCount = Number(values.tools);
var stamp = values.modern ? { resultType: "complete" } : {};
var cached = values.modern ? { ...stamp, ttlMs: 0, cacheScope: "private" } : {};
var callResult = Buffer.from(JSON.stringify({ ...payloadOf(payload).result(), ...stamp }));
var rest = [];
process.stdin.on("data", (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
    receive(Buffer.concat([...rest, chunk.subarray(start, end)]).toString());
    rest = [];
    start = end + 1;
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
});
function receive(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === void 0) return;
  const text = JSON.stringify(id);
  if (method === "server/discover" && !values.modern) process.stdout.write(refusalOf(text));
  else answer(text, method === "tools/call" ? callResult : JSON.stringify(resultOf(method, params)));
}
function refusalOf(id) {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}
`;
}
function answer(id, result) {
  const { stdout } = process;
  stdout.cork();
  stdout.write(isIdFirst ? `{"jsonrpc":"2.0","id":${id},"result":` : '{"result":');
  stdout.write(result);
  stdout.write(isIdFirst ? "}\n" : `,"jsonrpc":"2.0","id":${id}}
`);
  stdout.uncork();
}
function resultOf(method, params) {
  if (method === "initialize") return initializeResult(params);
  if (method === "server/discover")
    return { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...cached };
  if (method === "tools/list") return { tools: Array.from({ length: toolCount }, tool), ...cached };
  return stamp;
}
function initializeResult(params) {
  const { protocolVersion } = params;
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bench-echo", version: "1" } };
}
function tool(_, index) {
  return {
    name: index === 0 ? "echo" : `echo_${index}`,
    description: "Answers with what the command line says.",
    inputSchema: { type: "object", properties: { message: { type: "string" } } }
  };
}
//# sourceMappingURL=echo-server.js.map