import {
  PAYLOADS,
  PAYLOAD_NAMES,
  __callDispose,
  __using,
  isPayloadName
} from "./chunk-BZ7N6L4Y.js";

// src/main.ts
import { writeFileSync } from "fs";
import { constants } from "os";
import process4 from "process";

// src/options.ts
import { parseArgs } from "util";
var SECTIONS = ["forwarding", "start-up", "install", "scale", "oversized"];
var CHOSEN_SECTIONS = ["http", "urls"];
var TARGET_NAMES = [
  "direct",
  "byte-pipe",
  "mcpmux",
  "sdk-v1-proxy",
  "sdk-v2-proxy",
  "mcp-proxy",
  "mcp-hub"
];
var ERA_TARGET_NAMES = [
  "modern-byte-pipe",
  "modern-on-modern",
  "modern-on-legacy",
  "legacy-on-modern"
];
var USAGE = `usage: npm run bench -- [options]

  --smoke             every measurement once and short: shows that all works, not how fast
  --sections LIST     of ${SECTIONS.join(", ")}; or http: many sessions over HTTP;
                      or urls: a server at a url
  --sessions N        of the section http (default: 200)
  --fronts LIST       of the same, to be compared with the relay: mcpmux, mcp-proxy or mcpmux:FOLDER
  --targets LIST      of ${TARGET_NAMES.join(", ")},
                      of ${ERA_TARGET_NAMES.join(", ")},
                      or mcpmux:FOLDER: another build of the command, in the folder of its package
  --payloads LIST     of ${PAYLOAD_NAMES.join(", ")}
  --in-flight LIST    calls in flight (default: 1,32,256)
  --rounds N          how often each load runs, of targets no goal is about half as often (default: 9)
  --window MS         how long each load goes on (default: 300)
  --id-first          the echo server puts \`id\` before \`result\`
  --json FILE         writes everything that was measured
  --docs              writes docs/bench.md and docs/bench.svg
  --help              prints this

LIST is separated by commas.
`;
var FLAGS = {
  smoke: { type: "boolean", default: false },
  sections: { type: "string", default: SECTIONS.join(",") },
  targets: { type: "string", default: TARGET_NAMES.join(",") },
  payloads: { type: "string", default: PAYLOAD_NAMES.join(",") },
  "in-flight": { type: "string" },
  rounds: { type: "string" },
  sessions: { type: "string" },
  fronts: { type: "string", default: "mcpmux,mcp-proxy" },
  window: { type: "string" },
  "id-first": { type: "boolean", default: false },
  json: { type: "string" },
  docs: { type: "boolean", default: false },
  help: { type: "boolean", default: false }
};
var FULL = {
  inFlight: [1, 32, 256],
  rounds: 9,
  windowMs: 300,
  minCallsPerPlace: 1,
  startUpRuns: 21,
  servers: [1, 10, 100],
  tools: [10, 100, 1e3, 1e4],
  scaleInFlight: [1, 10, 100, 1e3, 1e4],
  calls: [1e3, 1e4, 1e5],
  http: { sessions: 200, rounds: 9, windowMs: 300, idleSessions: 800 },
  urls: { rounds: 9, windowMs: 300 }
};
var SMOKE = {
  inFlight: [1, 16],
  rounds: 1,
  windowMs: 0,
  minCallsPerPlace: 2,
  startUpRuns: 2,
  servers: [1, 5],
  tools: [10, 1e3],
  scaleInFlight: [1, 256],
  calls: [100, 1e3],
  http: { sessions: 5, rounds: 2, windowMs: 20, idleSessions: 20 },
  urls: { rounds: 1, windowMs: 20 }
};
function parseOptions(args) {
  const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true });
  const defaults = values.smoke ? SMOKE : FULL;
  const windowMs = positive("--window", values.window) ?? defaults.windowMs;
  return {
    isSmoke: values.smoke,
    sections: members("--sections", values.sections, isSection),
    forwarding: {
      targets: members("--targets", values.targets, isTargetName),
      payloads: members("--payloads", values.payloads, isPayloadName),
      inFlight: counts("--in-flight", values["in-flight"]) ?? defaults.inFlight,
      rounds: positive("--rounds", values.rounds) ?? defaults.rounds,
      window: { windowMs, minCallsPerPlace: defaults.minCallsPerPlace },
      idFirst: values["id-first"]
    },
    startUpRuns: defaults.startUpRuns,
    scale: {
      servers: defaults.servers,
      tools: defaults.tools,
      inFlight: defaults.scaleInFlight,
      calls: defaults.calls,
      windowMs
    },
    http: {
      sessions: positive("--sessions", values.sessions) ?? defaults.http.sessions,
      rounds: positive("--rounds", values.rounds) ?? defaults.http.rounds,
      windowMs: positive("--window", values.window) ?? defaults.http.windowMs,
      fronts: members("--fronts", values.fronts, isFrontName),
      idleSessions: defaults.http.idleSessions
    },
    urls: {
      rounds: positive("--rounds", values.rounds) ?? defaults.urls.rounds,
      windowMs: positive("--window", values.window) ?? defaults.urls.windowMs
    },
    jsonFile: values.json,
    writesDocs: values.docs,
    wantsHelp: values.help
  };
}
function members(flag, list, isMember) {
  const names = list.split(",");
  const known = names.filter(isMember);
  const unknown = names.find((name) => !isMember(name));
  if (unknown !== void 0) throw new Error(`${flag}: there is no ${JSON.stringify(unknown)}`);
  return known;
}
function counts(flag, list) {
  return list?.split(",").map((text) => positive(flag, text) ?? 0);
}
function positive(flag, text) {
  if (text === void 0) return void 0;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${flag}: ${JSON.stringify(text)} is not a whole number above 0`);
}
function isSection(name) {
  return [...SECTIONS, ...CHOSEN_SECTIONS].some((section) => section === name);
}
function isFrontName(name) {
  return ["mcpmux", "mcp-proxy"].includes(name) || name.startsWith("mcpmux:");
}
function isTargetName(name) {
  return name.startsWith("mcpmux:") || [...TARGET_NAMES, ...ERA_TARGET_NAMES].some((target) => target === name);
}

// src/report/docs.ts
import { readFile, writeFile as writeFile2 } from "fs/promises";
import { join as join4 } from "path";

// src/program-path.ts
import { createRequire } from "module";
import { dirname, join } from "path";
import { fileURLToPath } from "url";
var { resolve } = createRequire(import.meta.url);
function programPath(name) {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}
function packageFolder(name) {
  return dirname(resolve(`${name}/package.json`));
}
function packageFile(name, file) {
  return join(packageFolder(name), file);
}

// src/load/call-log.ts
var FIRST_CAPACITY = 4096;
var CallLog = class {
  constructor(firstId) {
    this.firstId = firstId;
  }
  firstId;
  times = new Float64Array(FIRST_CAPACITY);
  sentCount = 0;
  answeredCount = 0;
  get sent() {
    return this.sentCount;
  }
  get answered() {
    return this.answeredCount;
  }
  /** The id of the next call, sent at `now` (milliseconds above 0). */
  send(now) {
    if (this.sentCount === this.times.length) this.grow();
    this.times[this.sentCount] = -now;
    this.sentCount += 1;
    return this.firstId + this.sentCount - 1;
  }
  /** @throws Error when no such call was sent, or it was answered before */
  answer(id, now) {
    const index = id - this.firstId;
    const time = index >= 0 && index < this.sentCount ? this.times[index] : void 0;
    if (time === void 0) throw new Error(`an answer to call ${id}, which was not sent`);
    if (time >= 0) throw new Error(`a second answer to call ${id}`);
    this.times[index] = now + time;
    this.answeredCount += 1;
  }
  /** Milliseconds of every call, sorted. Only complete when all calls are answered. */
  latencies() {
    return this.times.slice(0, this.sentCount).toSorted();
  }
  grow() {
    const larger = new Float64Array(this.times.length * 2);
    larger.set(this.times);
    this.times = larger;
  }
};

// src/load/run-load.ts
var STALL_MS = 6e4;
function toolCall(name, envelope = {}) {
  const params = JSON.stringify({ name, arguments: { message: "hello" }, ...envelope });
  return ['{"jsonrpc":"2.0","id":', `,"method":"tools/call","params":${params}}`];
}
function plainRequest(method) {
  return ['{"jsonrpc":"2.0","id":', `,"method":${JSON.stringify(method)},"params":{}}`];
}
function runLoad(connection, plan, frame) {
  const { inFlight, windowMs, minCalls } = plan;
  const [before, after] = plan.request;
  const { firstId, afterwards } = frame;
  const log = new CallLog(firstId);
  return new Promise((resolve2, reject) => {
    const started = performance.now();
    const stop = started + windowMs;
    const stalled = setTimeout(() => fail(new Error(stallMessage(log))), windowMs + STALL_MS);
    const finish = () => {
      clearTimeout(stalled);
      connection.listen(afterwards);
    };
    const fail = (error) => {
      finish();
      reject(error);
    };
    const call = (now) => connection.send(`${before}${log.send(now)}${after}`);
    const line = (received) => {
      const now = performance.now();
      const id = received.answerId();
      if (id === void 0) return;
      log.answer(id, now);
      checkLength(received, id, plan.answerBytes);
      if (now < stop || log.sent < minCalls) call(now);
      else if (log.answered === log.sent) {
        finish();
        resolve2({ calls: log.sent, wallMs: now - started, latencies: log.latencies() });
      }
    };
    connection.listen({ line: orElse(line, fail), ended: fail });
    for (let index = 0; index < inFlight; index += 1) call(performance.now());
  });
}
function orElse(line, fail) {
  return (received) => {
    try {
      line(received);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
function checkLength(line, id, expected) {
  const bytes = line.length - String(id).length;
  if (bytes === expected) return;
  throw new Error(`an answer of ${bytes} bytes instead of ${expected}: ${line.text().slice(0, 300)}`);
}
function stallMessage(log) {
  return `${log.sent - log.answered} of ${log.sent} calls are not answered`;
}

// src/load/raw-client.ts
var INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "mcpmux-bench", version: "1" }
};
var ENVELOPE = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "mcpmux-bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {}, url: {} }, roots: {} }
  }
};
var RawClient = class {
  /** @param nextId id of its first request; they count up */
  constructor(connection, nextId = 1, envelope = {}) {
    this.connection = connection;
    this.nextId = nextId;
    this.envelope = envelope;
    connection.listen(this.handler);
  }
  connection;
  nextId;
  envelope;
  waiting = /* @__PURE__ */ new Map();
  failure;
  handler = {
    line: (line) => this.receive(line),
    ended: (reason) => this.fail(reason)
  };
  /** @throws Error when something has come that nobody asked for, or the connection has ended */
  check() {
    if (this.failure) throw this.failure;
  }
  /** The opening: a handshake in the legacy era. */
  async initialize() {
    if (this.envelope === ENVELOPE) {
      await this.request("server/discover");
      return;
    }
    await this.request("initialize", INITIALIZE);
    this.connection.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  }
  /** @throws Error when the answer is an error, or an earlier answer came twice or for nothing */
  async request(method, params = {}) {
    this.check();
    const id = this.nextId;
    this.nextId += 1;
    const line = await new Promise((resolve2, reject) => {
      this.waiting.set(id, { resolve: resolve2, reject });
      this.connection.send(
        JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...this.envelope } })
      );
    });
    const text = line.text();
    const { result } = JSON.parse(text);
    if (result === void 0) throw new Error(`${method}: ${text.slice(0, 500)}`);
    return { result, bytes: line.length - String(id).length };
  }
  /** @throws Error when the result says that the tool failed, too */
  async callTool(name, args) {
    const answer = await this.request("tools/call", { name, arguments: args });
    if (answer.result["isError"] === true) throw new Error(`${name}: ${JSON.stringify(answer.result)}`);
    return answer;
  }
  /** Keeps calls in flight as the plan says. Meanwhile nothing else may be asked. */
  async load(plan) {
    this.check();
    const frame = { firstId: this.nextId, afterwards: this.handler };
    const sample = await runLoad(this.connection, plan, frame);
    this.nextId += sample.calls;
    return sample;
  }
  receive(line) {
    const { id, method } = JSON.parse(line.text());
    if (method !== void 0) return;
    const waiter = typeof id === "number" ? this.waiting.get(id) : void 0;
    if (typeof id !== "number" || waiter === void 0) {
      this.fail(new Error(`an answer that nobody waits for, with the id ${JSON.stringify(id)}`));
      return;
    }
    this.waiting.delete(id);
    waiter.resolve(line);
  }
  fail(reason) {
    this.failure ??= reason;
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }
};

// src/load/connection.ts
var NOBODY = { line: () => {
}, ended: () => {
} };

// src/load/scanned-line.ts
var EDGE_BYTES = 64;
var ID_MEMBER = '"id":';
var ScannedLine = class _ScannedLine {
  constructor(parts, length) {
    this.parts = parts;
    this.length = length;
  }
  parts;
  length;
  text() {
    return this.whole().toString();
  }
  /** The number behind the `id` of an answer; undefined for a line without one, such as a notification. */
  answerId() {
    const tail = this.tail();
    const last = tail.lastIndexOf(ID_MEMBER);
    if (last !== -1) return numberAt(tail, last + ID_MEMBER.length);
    const head = this.head();
    const first = head.indexOf(ID_MEMBER);
    return first === -1 ? void 0 : numberAt(head, first + ID_MEMBER.length);
  }
  startsWith(prefix) {
    return this.head().startsWith(prefix);
  }
  /** The line without its first bytes. */
  skip(bytes) {
    const rest = this.whole().subarray(bytes);
    return new _ScannedLine([rest], rest.length);
  }
  head() {
    const first = this.parts[0] ?? Buffer.alloc(0);
    const bytes = first.length >= EDGE_BYTES ? first : this.whole();
    return bytes.toString("latin1", 0, Math.min(EDGE_BYTES, bytes.length));
  }
  tail() {
    const last = this.parts.at(-1) ?? Buffer.alloc(0);
    const bytes = last.length >= EDGE_BYTES ? last : this.whole();
    return bytes.toString("latin1", Math.max(0, bytes.length - EDGE_BYTES), bytes.length);
  }
  whole() {
    const [only] = this.parts;
    return this.parts.length === 1 && only !== void 0 ? only : Buffer.concat(this.parts, this.length);
  }
};
function numberAt(text, index) {
  const number2 = Number.parseInt(text.slice(index), 10);
  return Number.isNaN(number2) ? void 0 : number2;
}

// src/load/line-scanner.ts
var NEWLINE = 10;
var LineScanner = class {
  constructor(onLine) {
    this.onLine = onLine;
  }
  onLine;
  parts = [];
  length = 0;
  push(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.take(chunk.subarray(start, end));
      this.emit();
      start = end + 1;
    }
    if (start < chunk.length) this.take(chunk.subarray(start));
  }
  /** The stream has ended: what has no newline is a line too. */
  end() {
    if (this.length > 0) this.emit();
  }
  take(part) {
    this.parts.push(part);
    this.length += part.length;
  }
  emit() {
    const line = new ScannedLine(this.parts, this.length);
    this.parts = [];
    this.length = 0;
    this.onLine(line);
  }
};

// src/load/stdio-connection.ts
var StdioConnection = class {
  constructor(process5) {
    this.process = process5;
    const scanner = new LineScanner((line) => this.handler.line(line));
    const { stdin, stdout } = process5.child;
    stdout.on("data", (chunk) => scanner.push(chunk));
    stdin.on("error", (error) => this.handler.ended(error));
    void process5.exited.then(() => this.handler.ended(process5.failure("ended")));
  }
  process;
  handler = NOBODY;
  listen(handler) {
    this.handler = handler;
  }
  send(message) {
    this.process.child.stdin.write(`${message}
`);
  }
  async [Symbol.asyncDispose]() {
    this.handler = NOBODY;
    await this.process[Symbol.asyncDispose]();
  }
};

// src/managed-process.ts
import { spawn } from "child_process";
import process from "process";
var STDERR_KEPT = 4e3;
var GRACE_MS = 5e3;
function nodeCommand(...args) {
  return { command: process.execPath, args };
}
var NO_CONFIGS = "/nonexistent";
function benchEnvironment(own = {}) {
  const {
    NODE_EXTRA_CA_CERTS: _,
    MCPMUX_CONFIG: __,
    MCPMUX_PROJECT_CONFIG: ___,
    ...environment
  } = process.env;
  return { ...environment, XDG_CONFIG_HOME: NO_CONFIGS, ...own };
}
var living = /* @__PURE__ */ new Set();
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});
var ManagedProcess = class {
  constructor(commandLine, env = benchEnvironment()) {
    this.commandLine = commandLine;
    this.child = spawn(commandLine.command, [...commandLine.args], { env, stdio: "pipe" });
    living.add(this.child);
    this.exited = new Promise((resolve2) => {
      this.child.once("exit", () => resolve2());
      this.child.once("error", () => resolve2());
    });
    void this.exited.then(() => living.delete(this.child));
    this.child.stdin.on("error", () => {
    });
    this.child.stderr.on("data", (chunk) => {
      this.lastWords = (this.lastWords + chunk.toString()).slice(-STDERR_KEPT);
    });
  }
  commandLine;
  child;
  /** Resolves when the process has gone. */
  exited;
  lastWords = "";
  /** The id of the process; 0 when it could not be started. */
  get pid() {
    return this.child.pid ?? 0;
  }
  get hasExited() {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.pid === 0;
  }
  /** An error that says what the process said last. */
  failure(what) {
    const { command, args } = this.commandLine;
    const { exitCode, signalCode } = this.child;
    const end = signalCode ?? exitCode;
    return new Error(
      `${[command, ...args].join(" ")} ${what}${end === null ? "" : ` (${end})`}
${this.lastWords}`.trim()
    );
  }
  /** Closes stdin, or asks by signal, then kills. */
  async stop(how) {
    const { child } = this;
    if (how === "SIGTERM") child.kill("SIGTERM");
    else child.stdin.end();
    const killer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    await this.exited;
    clearTimeout(killer);
  }
  [Symbol.asyncDispose]() {
    return this.stop("end stdin");
  }
};
function stoppedBySignal(program) {
  return { [Symbol.asyncDispose]: () => program.stop("SIGTERM") };
}

// src/targets/stdio-targets.ts
import { join as join2 } from "path";

// src/guarded.ts
async function guarded(resource, work) {
  try {
    return await work();
  } catch (error) {
    await resource[Symbol.asyncDispose]();
    throw error;
  }
}

// src/targets/target.ts
var UNBOUNDED = Number.POSITIVE_INFINITY;
var BOUNDED = 4e7;
async function running(connection, { tool, pid, envelope }) {
  const client = new RawClient(connection, 1, envelope);
  await guarded(connection, () => client.initialize());
  return { client, tool, pid, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}

// src/targets/stdio-targets.ts
var SERVER_NAME = "e";
var MCPMUX_COMMAND = mcpmuxCommand();
var direct = {
  label: "direct (no process in the middle)",
  maxBytesInFlight: UNBOUNDED,
  start: (server) => running(new StdioConnection(new ManagedProcess(server)), { tool: "echo", pid: void 0 })
};
var bytePipe = proxyTarget("byte-pipe", UNBOUNDED);
var sdkV1Proxy = proxyTarget("sdk-v1-proxy", BOUNDED);
var sdkV2Proxy = proxyTarget("sdk-v2-proxy", BOUNDED);
var mcpmux = {
  label: "mcpmux",
  maxBytesInFlight: UNBOUNDED,
  start: (server) => startMux(MCPMUX_COMMAND, server)
};
function otherBuild(folder) {
  const command = nodeCommand(join2(folder, "bin/mcpmux.cjs"));
  return { ...mcpmux, label: folder, start: (server) => startMux(command, server) };
}
function mcpmuxCommand(...args) {
  return nodeCommand(packageFile("@mcpmux/cli", "bin/mcpmux.cjs"), ...args);
}
async function startMux(command, server, { envelope = {}, protocol = "auto" } = {}) {
  const process5 = new ManagedProcess(command);
  const tool = `${SERVER_NAME}__echo`;
  const target = await running(new StdioConnection(process5), { tool, pid: process5.pid, envelope });
  const added = { name: SERVER_NAME, ...server, protocol };
  await guarded(target, () => target.client.callTool("add_server", added));
  return target;
}
function proxyTarget(program, maxBytesInFlight) {
  return {
    label: program,
    maxBytesInFlight,
    start: (server) => {
      const process5 = new ManagedProcess(nodeCommand(programPath(program), server.command, ...server.args));
      return running(new StdioConnection(process5), { tool: "echo", pid: process5.pid });
    }
  };
}

// src/targets/era-targets.ts
var ERA_TARGETS = {
  "modern-byte-pipe": {
    label: "byte-pipe, 2026-07-28",
    maxBytesInFlight: UNBOUNDED,
    start: (server) => {
      const { command, args } = modern(server);
      const process5 = new ManagedProcess(nodeCommand(programPath("byte-pipe"), command, ...args));
      const connection = new StdioConnection(process5);
      return running(connection, { tool: "echo", pid: process5.pid, envelope: ENVELOPE });
    }
  },
  "modern-on-modern": muxTarget("mcpmux, 2026-07-28 on 2026-07-28", {
    envelope: ENVELOPE,
    protocol: "modern"
  }),
  "modern-on-legacy": muxTarget("mcpmux, 2026-07-28 on 2025-11-25", {
    envelope: ENVELOPE,
    protocol: "legacy"
  }),
  "legacy-on-modern": muxTarget("mcpmux, 2025-11-25 on 2026-07-28", { protocol: "modern" })
};
function muxTarget(label, eras) {
  const start = (server) => startMux(MCPMUX_COMMAND, eras.protocol === "modern" ? modern(server) : server, eras);
  return { label, maxBytesInFlight: UNBOUNDED, start };
}
function modern({ command, args }) {
  return { command, args: [...args, "--modern"] };
}

// src/targets/mcp-hub.ts
import { mkdir, mkdtemp, rm, writeFile } from "fs/promises";
import { tmpdir } from "os";
import { join as join3 } from "path";

// src/load/sse-connection.ts
import { Agent, get } from "http";

// src/load/http-post.ts
import { request } from "http";
function post(message) {
  const { url, agent, headers, onResponse, onFailure } = message;
  const outgoing = request(url, { method: "POST", agent, headers });
  outgoing.on("response", (response) => {
    const { statusCode = 0 } = response;
    if (statusCode >= 300) onFailure(new Error(`HTTP status ${statusCode} of ${url.href}`));
    onResponse(response);
  });
  outgoing.on("error", (error) => {
    if (outgoing.reusedSocket && error.code === "ECONNRESET") post(message);
    else onFailure(error);
  });
  outgoing.end(message.message);
}

// src/load/server-sent-events.ts
var DATA = "data: ";
function onDataLine(handle) {
  return (line) => {
    if (line.startsWith(DATA)) handle(line.skip(DATA.length));
  };
}

// src/load/sse-connection.ts
var SseConnection = class _SseConnection {
  constructor(stream, peer, base) {
    this.stream = stream;
    this.peer = peer;
    this.endpoint = base;
    const scanner = new LineScanner(onDataLine((line) => this.handler.line(line)));
    stream.on("data", (chunk) => scanner.push(chunk));
    stream.on("error", (error) => this.handler.ended(error));
    stream.on("end", () => this.handler.ended(new Error(`the event stream of ${base.href} has ended`)));
  }
  stream;
  peer;
  agent = new Agent({ keepAlive: true });
  handler = NOBODY;
  endpoint;
  /** Opens the event stream at `url` and learns where messages go. The end of the connection is that of the peer. */
  static async open(url, peer) {
    const stream = await new Promise((resolve2, reject) => {
      get(url, { headers: { accept: "text/event-stream" } }, resolve2).on("error", reject);
    });
    const connection = new _SseConnection(stream, peer, url);
    const endpoint = await new Promise((resolve2, reject) => {
      connection.listen({ line: (line) => resolve2(line.text()), ended: reject });
    });
    connection.endpoint = new URL(endpoint, url);
    return connection;
  }
  listen(handler) {
    this.handler = handler;
  }
  send(message) {
    post({
      url: this.endpoint,
      agent: this.agent,
      headers: { "content-type": "application/json" },
      message,
      onResponse: (response) => response.resume(),
      onFailure: (reason) => this.handler.ended(reason)
    });
  }
  async [Symbol.asyncDispose]() {
    this.handler = NOBODY;
    await this.peer[Symbol.asyncDispose]();
    this.agent.destroy();
    this.stream.destroy();
  }
};

// src/targets/http-peer.ts
import { randomInt } from "crypto";
import { connect, createServer } from "net";
var START_MS = 3e4;
var RETRY_MS = 20;
var FIRST_PORT = 2e4;
var END_OF_PORTS = 32768;
async function freePort() {
  for (; ; ) {
    const port = randomInt(FIRST_PORT, END_OF_PORTS);
    if (await isFree(port)) return port;
  }
}
function isFree(port) {
  const server = createServer();
  return new Promise((resolve2) => {
    server.once("error", () => resolve2(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve2(true)));
  });
}
async function untilReady(process5, ask) {
  const deadline = performance.now() + START_MS;
  while (!await ask()) {
    if (process5.hasExited || performance.now() > deadline) throw process5.failure("does not become ready");
    await new Promise((resolve2) => {
      setTimeout(resolve2, RETRY_MS);
    });
  }
}
function accepts(port) {
  return new Promise((resolve2) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (isOpen) => {
      socket.destroy();
      resolve2(isOpen);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}

// src/targets/mcp-hub.ts
var mcpHub = {
  label: "mcp-hub (HTTP+SSE)",
  maxBytesInFlight: BOUNDED,
  async start(server) {
    const port = await freePort();
    const folder = await prepareFolder(server);
    const process5 = startHub(port, folder);
    const { [Symbol.asyncDispose]: stop } = stoppedBySignal(process5);
    const hub = {
      async [Symbol.asyncDispose]() {
        await stop();
        await rm(folder, { recursive: true, force: true });
      }
    };
    const base = `http://127.0.0.1:${port}`;
    await guarded(hub, () => untilReady(process5, () => isReady(`${base}/api/health`)));
    const connection = await guarded(hub, () => SseConnection.open(new URL(`${base}/mcp`), hub));
    return running(connection, { tool: `${SERVER_NAME}__echo`, pid: process5.pid });
  }
};
function startHub(port, folder) {
  const flags = ["--port", String(port), "--config", join3(folder, "servers.json")];
  const preload = ["--import", programPath("listen-on-loopback")];
  const command = nodeCommand(...preload, packageFile("mcp-hub", "dist/cli.js"), ...flags);
  const home = { XDG_DATA_HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const process5 = new ManagedProcess(command, benchEnvironment(home));
  process5.child.stdout.resume();
  return process5;
}
async function prepareFolder({ command, args }) {
  const folder = await mkdtemp(join3(tmpdir(), "mcpmux-bench-hub-"));
  const cache = join3(folder, "mcp-hub", "cache");
  await mkdir(cache, { recursive: true });
  const catalogue = { registry: { servers: [{}] }, lastFetchedAt: Date.now(), serverDocumentation: {} };
  await writeFile(join3(cache, "registry.json"), JSON.stringify(catalogue));
  const configuration = { mcpServers: { [SERVER_NAME]: { command, args } } };
  await writeFile(join3(folder, "servers.json"), JSON.stringify(configuration));
  return folder;
}
async function isReady(url) {
  try {
    const response = await fetch(url);
    const { state } = await response.json();
    return state === "ready";
  } catch {
    return false;
  }
}

// src/load/streamable-http-connection.ts
import { once } from "events";
import { Agent as Agent2, request as request2 } from "http";
var SESSION_HEADER = "mcp-session-id";
var StreamableHttpConnection = class {
  /** The end of the connection is the end of the peer that listens at `url`. */
  constructor(url, peer) {
    this.url = url;
    this.peer = peer;
  }
  url;
  peer;
  agent = new Agent2({ keepAlive: true });
  handler = NOBODY;
  session;
  listen(handler) {
    this.handler = handler;
  }
  send(message) {
    post({
      url: this.url,
      agent: this.agent,
      headers: this.headers(),
      message,
      onResponse: (response) => this.receive(response),
      onFailure: (reason) => this.handler.ended(reason)
    });
  }
  /** Ends the session with a DELETE, if there is one, and closes its connections; the peer goes on. */
  async endSession() {
    this.handler = NOBODY;
    if (this.session !== void 0) {
      const outgoing = request2(this.url, { method: "DELETE", agent: this.agent, headers: this.headers() });
      outgoing.end();
      const [response] = await once(outgoing, "response");
      response.resume();
      await once(response, "end");
    }
    this.agent.destroy();
  }
  async [Symbol.asyncDispose]() {
    this.handler = NOBODY;
    await this.peer[Symbol.asyncDispose]();
    this.agent.destroy();
  }
  headers() {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    return this.session === void 0 ? headers : { ...headers, [SESSION_HEADER]: this.session };
  }
  receive(response) {
    const { headers } = response;
    const session = headers[SESSION_HEADER];
    if (typeof session === "string") this.session = session;
    const isEvents = headers["content-type"]?.startsWith("text/event-stream") === true;
    const scanner = new LineScanner(
      isEvents ? onDataLine((line) => this.handler.line(line)) : (line) => this.handler.line(line)
    );
    response.on("data", (chunk) => scanner.push(chunk));
    response.on("end", () => scanner.end());
  }
};

// src/targets/mcp-proxy.ts
function mcpProxyCommand(port, server) {
  const flags = ["--host", "127.0.0.1", "--port", String(port), "--server", "stream", "--no-eventStore"];
  const program = packageFile("mcp-proxy", "dist/bin/mcp-proxy.mjs");
  return nodeCommand(program, ...flags, "--", server.command, ...server.args);
}
var mcpProxy = {
  label: "mcp-proxy (HTTP)",
  maxBytesInFlight: BOUNDED,
  async start(server) {
    const port = await freePort();
    const process5 = new ManagedProcess(mcpProxyCommand(port, server));
    process5.child.stdout.resume();
    const stop = stoppedBySignal(process5);
    await guarded(stop, () => untilReady(process5, () => accepts(port)));
    const connection = new StreamableHttpConnection(new URL(`http://127.0.0.1:${port}/mcp`), stop);
    return running(connection, { tool: "echo", pid: process5.pid });
  }
};

// src/targets/targets.ts
var OTHER_BUILD = "mcpmux:";
var TARGETS = {
  direct,
  "byte-pipe": bytePipe,
  mcpmux,
  "sdk-v1-proxy": sdkV1Proxy,
  "sdk-v2-proxy": sdkV2Proxy,
  "mcp-proxy": mcpProxy,
  "mcp-hub": mcpHub,
  ...ERA_TARGETS
};
function targetOf(name) {
  const target = name.startsWith(OTHER_BUILD) ? otherBuild(name.slice(OTHER_BUILD.length)) : TARGETS[name];
  if (target === void 0) throw new Error(`there is no target ${name}`);
  return target;
}

// src/report/numbers.ts
var SIGNIFICANT_DIGITS = 3;
var SHOWN_IN_FULL = 9.995;
var MEGABYTE = 1e6;
var KILOBYTE = 1e3;
function number(value) {
  if (value === null || Number.isNaN(value)) return "\u2013";
  const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS));
  return rounded.toLocaleString("en-US", { maximumSignificantDigits: SIGNIFICANT_DIGITS });
}
function times(value) {
  if (value === null || Number.isNaN(value)) return "\u2013";
  return `${value < SHOWN_IN_FULL ? value.toFixed(2) : number(value)} \xD7`;
}
function megabytes(bytes) {
  return bytes === null ? "\u2013" : `${number(bytes / MEGABYTE)} MB`;
}
function kilobytes(bytes) {
  return `${number(bytes / KILOBYTE)} KB`;
}

// src/report/chart.ts
var IN_FLIGHT = 32;
var WIDTH = 560;
var BAR_HEIGHT = 18;
var PANEL_GAP = 30;
var OWN_COLOUR = "#1d4ed8";
var OTHER_COLOUR = "#94a3b8";
async function forwardingChart(cells) {
  const { parse, View } = await import("vega");
  const view = new View(parse(specification(bars(cells))), { renderer: "none" });
  try {
    return `${await view.toSVG()}
`;
  } finally {
    view.finalize();
  }
}
function bars(cells) {
  return cells.flatMap(({ target, payload, inFlight, ratio }) => {
    const value = ratio?.cpuMicrosPerCall ?? null;
    if (inFlight !== IN_FLIGHT || value === null) return [];
    const colour = target === "mcpmux" ? OWN_COLOUR : OTHER_COLOUR;
    const text = times(value);
    return [{ panel: PAYLOADS[payload].label, target: targetOf(target).label, ratio: value, text, colour }];
  });
}
function specification(values) {
  const panels = [...new Set(values.map(({ panel }) => panel))];
  const targets = [...new Set(values.map(({ target }) => target))];
  const panelHeight = targets.length * BAR_HEIGHT;
  const height = panels.length * (panelHeight + PANEL_GAP);
  return {
    $schema: "https://vega.github.io/schema/vega/v6.json",
    description: "CPU time per call of the process in the middle, as a multiple of a byte pipe",
    width: WIDTH,
    height,
    padding: 10,
    background: "white",
    title: {
      text: `CPU per call with ${IN_FLIGHT} calls in flight (byte pipe = 1, logarithmic; shorter is better)`,
      anchor: "start",
      offset: 6
    },
    data: [{ name: "bars", values: [...values] }],
    scales: [
      { name: "panel", type: "band", domain: panels, range: [0, height] },
      {
        name: "ratio",
        type: "log",
        domain: [
          Math.min(1, ...values.map(({ ratio }) => ratio)),
          Math.max(...values.map(({ ratio }) => ratio))
        ],
        range: "width",
        nice: true
      }
    ],
    axes: [{ orient: "bottom", scale: "ratio", format: "~r", tickCount: 8, title: "\xD7 byte pipe" }],
    marks: [panelMarks(targets, panelHeight)]
  };
}
function panelMarks(targets, panelHeight) {
  return {
    type: "group",
    from: { facet: { data: "bars", name: "own", groupby: "panel" } },
    encode: {
      enter: {
        y: { scale: "panel", field: "panel", offset: PANEL_GAP },
        width: { value: WIDTH },
        height: { value: panelHeight }
      }
    },
    title: { text: { signal: "parent.panel" }, anchor: "start", fontSize: 12, offset: 4 },
    scales: [{ name: "target", type: "band", domain: [...targets], range: [0, panelHeight], padding: 0.15 }],
    axes: [{ orient: "left", scale: "target", ticks: false, domain: false, labelPadding: 6 }],
    marks: [
      {
        type: "rect",
        from: { data: "own" },
        encode: {
          enter: {
            y: { scale: "target", field: "target" },
            height: { scale: "target", band: 1 },
            x: { scale: "ratio", value: 1 },
            x2: { scale: "ratio", field: "ratio" },
            fill: { field: "colour" }
          }
        }
      },
      {
        type: "text",
        from: { data: "own" },
        encode: {
          enter: {
            y: { scale: "target", field: "target", band: 0.5 },
            x: { scale: "ratio", field: "ratio", offset: 4 },
            baseline: { value: "middle" },
            text: { field: "text" }
          }
        }
      }
    ]
  };
}

// src/forwarding/cell.ts
function describeFailure({ target, payload, reason }) {
  return `${target}, ${PAYLOADS[payload].label}: ${reason}`;
}

// src/measure/statistics.ts
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle2 = sorted.length / 2;
  const upper = sorted[Math.floor(middle2)] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[middle2 - 1] ?? Number.NaN;
  const sum = lower + upper;
  return Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2;
}
function quantile(sorted, share) {
  const rank = Math.ceil(share * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN;
}

// src/measure/ratio.ts
var NAMES = ["callsPerSecond", "p50Ms", "p99Ms", "cpuMicrosPerCall", "rssBytes"];
function ratioTo(floor, measured3) {
  const of = (name) => median(
    measured3.map((figures2, round) => (figures2[name] ?? Number.NaN) / (floor[round]?.[name] ?? Number.NaN))
  );
  return Object.fromEntries(NAMES.map((name) => [name, of(name)]));
}
function middle(rounds, name) {
  return median(rounds.map((figures2) => figures2[name] ?? Number.NaN));
}

// src/report/table.ts
var FIGURE_COLUMNS = [
  { heading: "calls/s", align: "right" },
  { heading: "p50", align: "right" },
  { heading: "p99", align: "right" },
  { heading: "CPU per call", align: "right" },
  { heading: "RSS", align: "right" }
];
function absoluteFigures(rounds) {
  return [
    number(middle(rounds, "callsPerSecond")),
    `${number(middle(rounds, "p50Ms"))} ms`,
    `${number(middle(rounds, "p99Ms"))} ms`,
    `${number(middle(rounds, "cpuMicrosPerCall"))} \xB5s`,
    megabytes(middle(rounds, "rssBytes"))
  ];
}
function ratioFigures(ratio) {
  const { callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes: rssBytes2 } = ratio;
  return [callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes2].map(times);
}
var SHORTEST_RULE = 3;
function markdownTable(columns, rows) {
  const widths = columns.map(
    ({ heading }, index) => Math.max(SHORTEST_RULE, heading.length, ...rows.map((row2) => (row2[index] ?? "").length))
  );
  const line = (cells) => {
    const padded = widths.map((width, index) => pad(cells[index] ?? "", width, columns[index]?.align));
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map(
    (width, index) => columns[index]?.align === "right" ? `${"-".repeat(width - 1)}:` : "-".repeat(width)
  );
  return `${[line(columns.map(({ heading }) => heading)), line(rule), ...rows.map(line)].join("\n")}
`;
}
function pad(text, width, align) {
  return align === "right" ? text.padStart(width) : text.padEnd(width);
}

// src/report/forwarding-tables.ts
var COLUMNS = [
  { heading: "in flight", align: "right" },
  { heading: "target", align: "left" },
  ...FIGURE_COLUMNS
];
function forwardingTables({ cells, skipped, failures }) {
  const payloads = [...new Set(cells.map(({ payload }) => payload))];
  const tables = payloads.map((payload) => payloadTable(payload, cells));
  const notes = failures.map((failure) => `- ${describeFailure(failure)}`);
  const left = skipped.map(
    ({ target, payload, inFlight }) => `${target} at ${PAYLOADS[payload].label} with ${inFlight} in flight`
  );
  if (left.length > 0) tables.push(`Left out, as too much at once: ${left.join(", ")}.
`);
  if (notes.length > 0) tables.push(`Failed:

${notes.join("\n")}
`);
  return tables.join("\n");
}
function payloadTable(payload, cells) {
  const own = cells.filter((cell) => cell.payload === payload).toSorted((a, b) => a.inFlight - b.inFlight);
  return `### ${PAYLOADS[payload].label}

${markdownTable(COLUMNS, own.map(row))}`;
}
function row({ target, inFlight, median: median2, ratio }) {
  const head = [String(inFlight), targetOf(target).label];
  if (ratio === null) {
    return [
      ...head,
      number(median2.callsPerSecond),
      `${number(median2.p50Ms)} ms`,
      `${number(median2.p99Ms)} ms`,
      median2.cpuMicrosPerCall === null ? "\u2013" : `${number(median2.cpuMicrosPerCall)} \xB5s`,
      megabytes(median2.rssBytes)
    ];
  }
  const { callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes: rssBytes2 } = ratio;
  return [...head, ...[callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes2].map(times)];
}

// src/report/era-tables.ts
function hasEras(report) {
  return report?.cells.some(({ target }) => target in ERA_TARGETS) ?? false;
}
function eraSection(report, machine) {
  const introduction = "The byte pipe with messages of 2025-11-25 in absolute numbers, everything else as a multiple of it: medians over the rounds.";
  return [
    "## Eras and bridges\n",
    machine,
    `${introduction}
`,
    forwardingTables(report).replaceAll("### ", "### Both eras, "),
    ownFloor(report.cells)
  ].join("\n");
}
function ownFloor(cells) {
  const lines = cells.flatMap(({ target, payload, inFlight, ratio }) => {
    if (target !== "modern-on-modern") return [];
    const floor = cells.find(
      (cell) => cell.target === "modern-byte-pipe" && cell.payload === payload && cell.inFlight === inFlight
    );
    const [own, pipe] = [ratio?.cpuMicrosPerCall, floor?.ratio?.cpuMicrosPerCall];
    return own && pipe ? [`${times(own / pipe)} with ${inFlight} in flight`] : [];
  });
  return lines.length === 0 ? "" : `CPU per call of 2026-07-28 on 2026-07-28 to the byte pipe with the same messages: ${lines.join(", ")}.
`;
}

// src/report/goal.ts
var COLUMNS2 = [
  { heading: "goal", align: "left" },
  { heading: "limit", align: "right" },
  { heading: "measured", align: "right" },
  { heading: "met", align: "left" }
];
function goalTable(goals2) {
  const rows = goals2.map(({ what, limit, measured: measured3, isMet }) => [what, limit, measured3, isMet ? "yes" : "no"]);
  return rows.length === 0 ? "" : markdownTable(COLUMNS2, rows);
}
function atMost(what, limit, measured3) {
  if (measured3 === null) return [];
  return [{ what, limit: `\u2264 ${limit} \xD7`, measured: times(measured3), isMet: measured3 <= limit }];
}
function atLeast(what, limit, measured3) {
  if (measured3 === null) return [];
  return [{ what, limit: `\u2265 ${limit} \xD7`, measured: times(measured3), isMet: measured3 >= limit }];
}
function size(what, limit, measured3) {
  return { what, limit: `\u2264 ${megabytes(limit)}`, measured: megabytes(measured3), isMet: measured3 <= limit };
}

// src/report/http-table.ts
var COLUMNS3 = [
  { heading: "answers", align: "left" },
  { heading: "sessions \xD7 in flight", align: "right" },
  { heading: "front", align: "left" },
  ...FIGURE_COLUMNS
];
function httpSection(report, { date, cores, cpu, node, loadBefore }) {
  const { rounds, windowMs, cells, left, idleSessions, idleSessionBytes: idleSessionBytes2 } = report;
  return [
    "## Many sessions over HTTP\n",
    `On the loopback interface, one process behind each front, ${rounds} rounds of ${windowMs} ms; measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}, load average before: ${loadBefore.toFixed(2)}.
`,
    markdownTable(COLUMNS3, cells.flatMap(rowsOf)),
    `Each of the ${number(muxCalls(cells))} calls through mcpmux had its own answer. After the clients had gone, ${left.sessions} sessions and ${left.descriptors} descriptors more than before were open.
`,
    `An idle session with an open stream holds ${kilobytes(idleSessionBytes2)} (of ${number(idleSessions)}).
`
  ].join("\n");
}
function rowsOf({ payload, sessions, inFlight, relay, fronts }) {
  const load = [PAYLOADS[payload].label, `${sessions} \xD7 ${inFlight}`];
  return [
    [...load, "`node:http` relay", ...absoluteFigures(relay)],
    ...fronts.map(({ front, ratio }) => [...load, labelOf(front), ...ratioFigures(ratio)])
  ];
}
function labelOf(front) {
  return front === "mcpmux" ? "`mcpmux serve --http`" : front;
}
function muxCalls(cells) {
  const rounds = cells.flatMap(
    ({ fronts }) => fronts.filter(({ front }) => front === "mcpmux").flatMap((samples) => samples.rounds)
  );
  return rounds.reduce((sum, { calls }) => sum + calls, 0);
}

// src/measure/core-sharing.ts
var SHARED_FROM_CYCLES = 4.5;
var BROAD_TURNS = 8e3;
var CHAIN_TURNS = 1e3;
var CYCLES_PER_CHAIN_TURN = 24;
var TRIES = 4;
var WARM_UP_TRIES = 1e3;
var CoreSharing = class {
  constructor(clock = () => performance.now()) {
    this.clock = clock;
    for (let turn = 0; turn < WARM_UP_TRIES; turn += 1) this.sum ^= broad() ^ chain(turn);
  }
  clock;
  /** Kept, or the compiler might leave the work out. */
  sum = 0;
  /** How many cycles a turn of the broad work takes now. */
  cyclesPerTurn() {
    let [broadTime, chainTime] = [Infinity, Infinity];
    for (let turn = 0; turn < TRIES; turn += 1) {
      broadTime = Math.min(broadTime, this.timeOf(broad));
      chainTime = Math.min(chainTime, this.timeOf(chain));
    }
    const cycle = chainTime / (CHAIN_TURNS * CYCLES_PER_CHAIN_TURN);
    return broadTime / BROAD_TURNS / cycle;
  }
  timeOf(work) {
    const before = this.clock();
    this.sum ^= work(this.sum);
    return this.clock() - before;
  }
};
function sharedShare(cyclesPerTurn) {
  return cyclesPerTurn.filter((cycles) => cycles > SHARED_FROM_CYCLES).length / cyclesPerTurn.length;
}
function broad() {
  let one = 1;
  let two = 2;
  let three = 3;
  let four = 4;
  let five = 5;
  let six = 6;
  for (let turn = 0; turn < BROAD_TURNS; turn += 1) {
    one = one * 3 + 1 | 0;
    two = (two ^ two << 1) + turn | 0;
    three = three + 7 ^ turn;
    four = four - 3 ^ turn;
    five = five + turn | 0;
    six = (six ^ turn) + 5 | 0;
  }
  return one ^ two ^ three ^ four ^ five ^ six;
}
function chain(seed) {
  let product = seed | 1;
  for (let turn = 0; turn < CHAIN_TURNS; turn += 1) {
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
  }
  return product;
}

// src/report/relay-goals.ts
var KILOBYTE2 = 1e3;
function httpGoals({ http }) {
  if (http === null) return [];
  const { cells, idleSessionBytes: idleSessionBytes2 } = http;
  const ratios2 = cells.flatMap(({ fronts }) => fronts.filter(({ front }) => front === "mcpmux"));
  const limit = 30 * KILOBYTE2;
  return [
    ...toRelay(
      "of many sessions over HTTP",
      ratios2.map(({ ratio }) => ratio)
    ),
    {
      what: "memory of an idle session over HTTP, with an open stream",
      limit: `\u2264 ${kilobytes(limit)}`,
      measured: kilobytes(idleSessionBytes2),
      isMet: idleSessionBytes2 <= limit
    }
  ];
}
function urlGoals({ urls }) {
  if (urls === null) return [];
  const ratios2 = urls.cells.filter(({ inFlight }) => inFlight > 1).map(({ ratio }) => ratio);
  return toRelay("of a server at a url, several in flight", ratios2);
}
function toRelay(what, ratios2) {
  if (ratios2.length === 0) return [];
  const of = (name) => ratios2.map((ratio) => ratio[name]);
  return [
    ...atMost(`CPU per call ${what}, to the relay`, 1.8, Math.max(...of("cpuMicrosPerCall"))),
    ...atLeast(`calls/s ${what}, to the relay`, 0.7, Math.min(...of("callsPerSecond"))),
    ...atMost(`p99 ${what}, to the relay`, 1.5, Math.max(...of("p99Ms")))
  ];
}

// src/report/goals.ts
var MEGABYTE2 = 1e6;
function goals(report) {
  const cells = report.forwarding?.cells ?? [];
  return [
    ...cpuGoals(cells),
    ...paceGoals(cells),
    ...startUpGoals(report),
    ...memoryGoals(report),
    ...oversizedGoals(report),
    ...httpGoals(report),
    ...urlGoals(report)
  ];
}
function cpuGoals(cells) {
  const cpu = (target, payload) => find(cells, target, payload, 32)?.ratio?.cpuMicrosPerCall ?? null;
  const less = (payload) => {
    const mux = cpu("mcpmux", payload);
    const sdk = cpu("sdk-v1-proxy", payload);
    return mux === null || sdk === null ? null : sdk / mux;
  };
  return [
    ...atMost("CPU per call, 100 B, to the byte pipe", 1.5, cpu("mcpmux", "100b")),
    ...atMost("CPU per call, 1 MB, to the byte pipe", 2, cpu("mcpmux", "1m")),
    ...atMost("CPU per call, structured 100 KB, to the byte pipe", 2.2, cpu("mcpmux", "structured")),
    ...atLeast("CPU per call of the SDK v1 proxy, 100 B, to mcpmux", 5, less("100b")),
    ...atLeast("CPU per call of the SDK v1 proxy, 1 MB, to mcpmux", 8, less("1m"))
  ];
}
function paceGoals(cells) {
  const calls = extreme(cells, 32, ({ callsPerSecond }) => callsPerSecond, Math.min);
  const [dense, others] = [true, false].map(
    (isDense) => extreme(
      cells.filter(({ payload }) => payload === "structured" === isDense),
      1,
      ({ p50Ms }) => p50Ms,
      Math.max
    )
  );
  const p99 = extreme(cells, 1, ({ p99Ms }) => p99Ms, Math.max);
  const what = (figure, { payload }) => `${figure} in flight, slowest payload (${PAYLOADS[payload].label}), to the byte pipe`;
  return [
    ...calls === void 0 ? [] : atLeast(what("calls/s with 32", calls), 0.8, calls.value),
    ...others === void 0 ? [] : atMost(what("p50 with 1", others), 1.3, others.value),
    ...dense === void 0 ? [] : atMost("p50 with 1 in flight, structured 100 KB, to the byte pipe", 1.6, dense.value),
    ...p99 === void 0 ? [] : atMost(what("p99 with 1", p99), 1.5, p99.value)
  ];
}
function extreme(cells, inFlight, key, choose) {
  return cells.filter((cell) => cell.target === "mcpmux" && cell.inFlight === inFlight).flatMap(({ payload, ratio }) => ratio === null ? [] : [{ payload, value: key(ratio) ?? Number.NaN }]).reduce((found, one) => {
    if (found === void 0) return one;
    return Object.is(choose(found.value, one.value), found.value) ? found : one;
  }, void 0);
}
function startUpGoals({ startUp, install }) {
  const found = [];
  if (startUp !== null) {
    const limit = 1.5 * startUp.node.median + 40;
    const measured3 = startUp.mcpmux.median;
    found.push({
      what: "spawn to `initialize` answered, to 1.5 \xD7 `node -e 0` + 40 ms",
      limit: `\u2264 ${number(limit)} ms`,
      measured: `${number(measured3)} ms`,
      isMet: measured3 <= limit
    });
  }
  if (install !== null) {
    const { installedBytes, packages } = install;
    found.push(size("installed command", 3 * MEGABYTE2, installedBytes), {
      what: "packages of the installed command",
      limit: "\u2264 10",
      measured: String(packages),
      isMet: packages <= 10
    });
  }
  return found;
}
function memoryGoals({ scale }) {
  const points = scale?.find(({ name }) => name === "calls")?.points ?? [];
  const values = (calls) => points.find((point) => point.size === calls)?.values;
  const [early, late] = [values(1e4), values(1e5)];
  if (early === void 0 || late === void 0) return [];
  const at = (key, of) => (of[key] ?? Number.NaN) * MEGABYTE2;
  return [
    size(
      "RSS after 100,000 calls, above a bare Node.js",
      20 * MEGABYTE2,
      at("mcpmux", late) - at("bare", late)
    ),
    size("RSS from 10,000 to 100,000 calls", 5 * MEGABYTE2, at("mcpmux", late) - at("mcpmux", early))
  ];
}
function oversizedGoals({ oversized }) {
  if (oversized === null) return [];
  const { slowestMeanwhileMs, memoryBytes } = oversized;
  return [
    {
      what: "calls of others wait, while a message of 64 MB is refused",
      limit: "< 100 ms",
      measured: `${number(slowestMeanwhileMs)} ms`,
      isMet: slowestMeanwhileMs < 100
    },
    size("memory for a message of 64 MB, with a limit of 10 MB", 20 * MEGABYTE2, memoryBytes)
  ];
}
function find(cells, target, payload, inFlight) {
  return cells.find(
    (cell) => cell.target === target && cell.payload === payload && cell.inFlight === inFlight
  );
}

// src/scale/curve.ts
function growth({ points }, key) {
  const first = points[0]?.values[key] ?? Number.NaN;
  const last = points.at(-1)?.values[key] ?? Number.NaN;
  return first === 0 ? Number.NaN : last / first;
}

// src/report/scale-tables.ts
function scaleTables(curves) {
  return curves.map(curveTable).join("\n");
}
function curveTable(curve) {
  const { label, metrics, points } = curve;
  const columns = [label, ...metrics.map((metric) => `${metric.label}, ${metric.unit}`)].map(
    (heading) => ({ heading, align: "right" })
  );
  const rows = points.map(
    ({ size: size2, values }) => [size2.toLocaleString("en-US")].concat(metrics.map(({ key }) => number(values[key] ?? null)))
  );
  const last = ["growth", ...metrics.map(({ key }) => times(growth(curve, key)))];
  return markdownTable(columns, [...rows, last]);
}

// src/report/url-table.ts
var COLUMNS4 = [
  { heading: "answers", align: "left" },
  { heading: "in flight", align: "right" },
  { heading: "way", align: "left" },
  ...FIGURE_COLUMNS
];
function urlSection(report, { date, cores, cpu, node, loadBefore }) {
  const { rounds, windowMs, cells } = report;
  return [
    "## Servers at urls\n",
    `One client on stdio and one server over Streamable HTTP on the loopback interface, ${rounds} rounds of ${windowMs} ms for each way; measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}, load average before: ${loadBefore.toFixed(2)}.
`,
    markdownTable(COLUMNS4, cells.flatMap(rowsOf2))
  ].join("\n");
}
function rowsOf2({ payload, answers, inFlight, relay, ratio }) {
  const load = [`${PAYLOADS[payload].label}, ${answers}`, number(inFlight)];
  return [
    [...load, "`node:http` relay", ...absoluteFigures(relay)],
    [...load, "mcpmux", ...ratioFigures(ratio)]
  ];
}

// src/report/markdown.ts
var COST_COLUMNS = [
  { heading: "what", align: "left" },
  { heading: "measured", align: "right" }
];
function toMarkdown(report) {
  const { forwarding, scale } = report;
  const sections = [machineLine(report), goalSection(report)];
  if (forwarding !== null) {
    const introduction = "The byte pipe in absolute numbers, everything else as a multiple of it: medians over the rounds.";
    sections.push(`## Forwarding

${introduction}

${forwardingTables(forwarding)}`);
  }
  sections.push(costSection(report));
  if (scale !== null) {
    const introduction = "The last line of each table says how many times more the last size costs than the first.";
    sections.push(`## Scale

${introduction}

${scaleTables(scale)}`);
  }
  if (report.http !== null) sections.push(httpSection(report.http, report.machine));
  if (report.urls !== null) sections.push(urlSection(report.urls, report.machine));
  return sections.filter((section) => section !== "").join("\n");
}
function machineLine({ machine, options: options2, seconds, stolenShare, forwarding }) {
  const { cpu, cores, memoryBytes, system, node, loadBefore, date } = machine;
  const { rounds, window } = options2;
  const where = `${cores} cores of ${cpu}, ${number(memoryBytes / 1e9)} GB, ${system}, Node.js ${node}`;
  const how = `${rounds} rounds of ${window.windowMs} ms, ${seconds} s in all`;
  const alone = [
    `load average before: ${loadBefore.toFixed(2)}`,
    `${percent(stolenShare)} % of CPU time stolen`,
    ...sharedWindows(forwarding)
  ];
  return `Measured on ${date}: ${where}; ${how}, ${alone.join(", ")}.
`;
}
function sharedWindows(forwarding) {
  const samples = forwarding?.cells.flatMap((cell) => cell.samples) ?? [];
  if (samples.length === 0) return [];
  return [
    `${percent(sharedShare(samples.map(({ cyclesPerTurn }) => cyclesPerTurn)))} % of windows begun or ended on a shared core`
  ];
}
function percent(share) {
  return (share * 100).toFixed(1);
}
function goalSection(report) {
  if (report.isSmoke) return "A smoke run: it shows that everything works; its numbers mean nothing.\n";
  const table = goalTable(goals(report));
  return table === "" ? "" : `## Goals

${table}`;
}
function costSection({ startUp, install }) {
  const rows = [];
  if (startUp !== null) {
    const { node, mcpmux: mcpmux2 } = startUp;
    rows.push(
      ["`node -e 0`, spawn to exit, median", `${number(node.median)} ms`],
      ["mcpmux, spawn to `initialize` answered, median", `${number(mcpmux2.median)} ms`],
      ["the same, nine of ten starts", `${number(mcpmux2.p90)} ms`]
    );
  }
  if (install !== null) {
    rows.push(
      ["tarball of the command", megabytes(install.tarballBytes)],
      ["installed, all files", megabytes(install.installedBytes)],
      ["installed packages", String(install.packages)]
    );
  }
  return rows.length === 0 ? "" : `## Start and install

${markdownTable(COST_COLUMNS, rows)}`;
}

// src/report/docs.ts
var RESULTS = ["forwarding", "startUp", "install", "scale", "oversized"];
async function writeDocs(report) {
  const docs = join4(packageFolder("@mcpmux/cli"), "../../docs");
  const page = join4(docs, "bench.md");
  let text = await readFile(page, "utf8");
  const parts = partsOf(report);
  for (const [part, results] of parts) text = withResults(text, results, part);
  await writeFile2(page, text);
  if (report.forwarding === null || !parts.some(([part]) => part === "results")) return;
  await writeFile2(join4(docs, "bench.svg"), await forwardingChart(report.forwarding.cells));
}
function partsOf(report) {
  const { forwarding, http, urls, machine } = report;
  const parts = [];
  if (hasEras(forwarding)) parts.push(["era results", eraSection(forwarding, machineLine(report))]);
  else if (RESULTS.some((part) => report[part] !== null))
    parts.push(["results", toMarkdown({ ...report, http: null, urls: null })]);
  if (http !== null)
    parts.push(["http results", `${httpSection(http, machine)}
${goalTable(httpGoals(report))}`]);
  if (urls !== null)
    parts.push(["url results", `${urlSection(urls, machine)}
${goalTable(urlGoals(report))}`]);
  return parts;
}
function withResults(page, results, part = "results") {
  const [BEGIN, END] = [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`];
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`no ${BEGIN} \u2026 ${END} in the page`);
  return `${page.slice(0, begin)}${BEGIN}

${results}
${page.slice(end)}`;
}

// src/measure/process-usage.ts
import { readdirSync, readFileSync } from "fs";
import { join as join5 } from "path";

// src/measure/proc-files.ts
function runNanos(schedstat) {
  const nanos = Number.parseInt(schedstat, 10);
  if (Number.isNaN(nanos)) throw new Error(`not a schedstat file: ${schedstat.slice(0, 100)}`);
  return nanos;
}
function residentBytes(status, which) {
  const line = status.split("\n").find((text) => text.startsWith(`${which}:`));
  const kilobytes2 = Number.parseInt(line?.slice(which.length + 1) ?? "", 10);
  if (Number.isNaN(kilobytes2)) throw new Error(`no ${which} in: ${status.slice(0, 100)}`);
  return kilobytes2 * 1024;
}
var STEAL = 7;
var COUNTED = 8;
function machineTicks(stat) {
  const [first = ""] = stat.split("\n");
  const [name, ...texts] = first.split(/ +/u);
  const ticks = texts.slice(0, COUNTED).map(Number);
  const total = ticks.reduce((sum, one) => sum + one, 0);
  if (name !== "cpu" || ticks.length < COUNTED || Number.isNaN(total)) {
    throw new Error(`not the stat file of a machine: ${stat.slice(0, 100)}`);
  }
  return { total, stolen: ticks[STEAL] ?? 0 };
}

// src/measure/process-usage.ts
var NANOS_PER_MICRO = 1e3;
function cpuMicros(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((tid) => threadNanos(`/proc/${pid}/task/${tid}`));
  return nanos.reduce((sum, one) => sum + one, 0) / NANOS_PER_MICRO;
}
function threadNanos(folder) {
  try {
    return runNanos(readFileSync(join5(folder, "schedstat"), "latin1"));
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}
function isGone(error) {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH");
}
function rssBytes(pid) {
  return residentBytes(readFileSync(`/proc/${pid}/status`, "latin1"), "VmRSS");
}
function peakRssBytes(pid) {
  return residentBytes(readFileSync(`/proc/${pid}/status`, "latin1"), "VmHWM");
}

// src/measure/measure-load.ts
var MS_PER_SECOND = 1e3;
async function measureLoad(client, pid, plan) {
  const cpuBefore = pid === void 0 ? 0 : cpuMicros(pid);
  const { calls, wallMs, latencies } = await client.load(plan);
  const cpu = pid === void 0 ? null : cpuMicros(pid) - cpuBefore;
  client.check();
  return {
    calls,
    callsPerSecond: calls / wallMs * MS_PER_SECOND,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMicrosPerCall: cpu === null ? null : cpu / calls,
    rssBytes: pid === void 0 ? null : rssBytes(pid)
  };
}

// src/forwarding/verify.ts
import { isDeepStrictEqual } from "util";
var CONCURRENT_CALLS = 8;
async function verifyAnswers({ client, tool }, payload) {
  const expected = PAYLOADS[payload].result();
  const calls = Array.from({ length: CONCURRENT_CALLS }, () => client.callTool(tool, { message: "hello" }));
  const answers = await Promise.all(calls);
  for (const { result } of answers) {
    for (const key of Object.keys(expected)) {
      if (isDeepStrictEqual(result[key], expected[key])) continue;
      throw new Error(`${tool} answers with another ${key}: ${JSON.stringify(result[key]).slice(0, 300)}`);
    }
  }
  const lengths = new Set(answers.map(({ bytes }) => bytes));
  const [length] = lengths;
  if (length === void 0 || lengths.size > 1)
    throw new Error(`answers differ in length: ${[...lengths].join(", ")}`);
  return length;
}

// src/forwarding/lineup.ts
function echoServer(payload, flags = []) {
  return nodeCommand(programPath("echo-server"), String(payload), ...flags);
}
var Lineup = class {
  constructor(payload) {
    this.payload = payload;
  }
  payload;
  failures = [];
  entries = /* @__PURE__ */ new Map();
  async start(name, flags) {
    await this.recordFailure(name, async () => {
      const running2 = await targetOf(name).start(echoServer(this.payload, flags));
      this.entries.set(name, { running: running2, answerBytes: 0 });
      const answerBytes = await verifyAnswers(running2, this.payload);
      this.entries.set(name, { running: running2, answerBytes });
    });
  }
  /** One window of load; undefined when the target has failed, now or before. */
  async measure(name, inFlight, window) {
    const entry = this.entries.get(name);
    if (entry === void 0) return void 0;
    const { running: running2, answerBytes } = entry;
    const plan = {
      request: toolCall(running2.tool, running2.client.envelope),
      inFlight,
      windowMs: window.windowMs,
      minCalls: inFlight * window.minCallsPerPlace,
      answerBytes
    };
    return this.recordFailure(name, () => measureLoad(running2.client, running2.pid, plan));
  }
  async [Symbol.asyncDispose]() {
    const all = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(all.map(({ running: running2 }) => running2[Symbol.asyncDispose]()));
  }
  async recordFailure(target, work) {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.failures.push({ target, payload: this.payload, reason });
      await this.entries.get(target)?.running[Symbol.asyncDispose]();
      this.entries.delete(target);
      return void 0;
    }
  }
};

// src/forwarding/plan.ts
function plannedCells(matrix) {
  return allCells(matrix).filter(isBearable);
}
function skippedCells(matrix) {
  return allCells(matrix).filter((key) => !isBearable(key));
}
var WARM_UP_IN_FLIGHT = 32;
var IS_OF_AN_ERA = /-on-|^modern-/;
var GOALS_ARE_ABOUT = /* @__PURE__ */ new Set(["byte-pipe", "mcpmux", "sdk-v1-proxy"]);
function isAboutGoals(target) {
  return GOALS_ARE_ABOUT.has(target) || target.startsWith("mcpmux:") || IS_OF_AN_ERA.test(target);
}
function cellsOfRound(keys, round) {
  return round % 2 === 0 ? keys : keys.filter(({ target }) => isAboutGoals(target)).toReversed();
}
function warmUpCells(keys) {
  return keys.filter(({ target, inFlight }) => {
    const counts2 = keys.filter((key) => key.target === target).map((key) => key.inFlight);
    const bearable = counts2.filter((count) => count <= WARM_UP_IN_FLIGHT);
    return inFlight === (bearable.length > 0 ? Math.max(...bearable) : Math.min(...counts2));
  });
}
function allCells({ targets, payloads, inFlight }) {
  return payloads.flatMap(
    (payload) => inFlight.flatMap((count) => targets.map((target) => ({ target, payload, inFlight: count })))
  );
}
function isBearable({ target, payload, inFlight }) {
  return PAYLOADS[payload].bytes * inFlight <= targetOf(target).maxBytesInFlight;
}

// src/forwarding/summarize.ts
var FLOOR = "byte-pipe";
function summarize(cells) {
  return cells.map((cell) => {
    const floor = cells.find(
      ({ target, payload, inFlight }) => target === FLOOR && payload === cell.payload && inFlight === cell.inFlight
    );
    const hasRatio = floor !== void 0 && cell.target !== FLOOR;
    return { ...cell, median: medians(cell.samples), ratio: hasRatio ? medians(ratios(cell, floor)) : null };
  });
}
function ratios(cell, floor) {
  return cell.samples.flatMap((sample) => {
    const base = floor.samples.find(({ round }) => round === sample.round);
    return base === void 0 ? [] : [figures((key) => quotient(sample[key], base[key]))];
  });
}
function quotient(value, base) {
  return value === null || base === null || base === 0 ? null : value / base;
}
function medians(all) {
  return figures((key) => {
    const values = all.map((one) => one[key]).filter((value) => value !== null);
    return values.length === 0 ? null : median(values);
  });
}
function figures(value) {
  return {
    callsPerSecond: value("callsPerSecond") ?? Number.NaN,
    p50Ms: value("p50Ms") ?? Number.NaN,
    p99Ms: value("p99Ms") ?? Number.NaN,
    cpuMicrosPerCall: value("cpuMicrosPerCall"),
    rssBytes: value("rssBytes")
  };
}

// src/forwarding/run-forwarding.ts
var WARM_UP_WINDOWS = 3;
var WARM_UP_CALLS = 1e4;
var MOST_WARM_UPS = 3;
async function runForwarding(options2, progress) {
  const cells = [];
  const failures = [];
  for (const payload of options2.payloads) {
    var _stack = [];
    try {
      const lineup = __using(_stack, new Lineup(payload), true);
      const flags = options2.idFirst ? ["--id-first"] : [];
      await Promise.all(options2.targets.map((target) => lineup.start(target, flags)));
      progress(PAYLOADS[payload].label);
      cells.push(...await measureRounds(lineup, plannedCells({ ...options2, payloads: [payload] }), options2));
      for (const failure of lineup.failures) progress(`failed: ${describeFailure(failure)}`);
      failures.push(...lineup.failures);
    } catch (_) {
      var _error = _, _hasError = true;
    } finally {
      var _promise = __callDispose(_stack, _error, _hasError);
      _promise && await _promise;
    }
  }
  return { cells: summarize(cells), skipped: skippedCells(options2), failures };
}
async function measureRounds(lineup, keys, { rounds, window }) {
  await warmUp(lineup, keys, window);
  const samples = new Map(keys.map((key) => [key, []]));
  const sharing = new CoreSharing();
  let before = sharing.cyclesPerTurn();
  for (let round = 0; round < rounds; round += 1) {
    for (const key of cellsOfRound(keys, round)) {
      const figures2 = await lineup.measure(key.target, key.inFlight, window);
      const after = sharing.cyclesPerTurn();
      if (figures2 !== void 0)
        samples.get(key)?.push({ ...figures2, round, cyclesPerTurn: Math.max(before, after) });
      before = after;
    }
  }
  const failed = new Set(lineup.failures.map(({ target }) => target));
  return [...samples].filter(([{ target }]) => !failed.has(target)).map(([{ target, payload, inFlight: count }, own]) => ({
    target,
    payload,
    inFlight: count,
    samples: own
  }));
}
async function warmUp(lineup, keys, window) {
  const longer = { ...window, windowMs: window.windowMs * WARM_UP_WINDOWS };
  for (const { target, inFlight } of warmUpCells(keys)) {
    const most = isAboutGoals(target) ? MOST_WARM_UPS : 1;
    let calls = 0;
    for (let turn = 0; turn < most && calls < WARM_UP_CALLS; turn += 1) {
      calls += (await lineup.measure(target, inFlight, longer))?.calls ?? 0;
    }
  }
}

// src/http/http-front.ts
import { join as join6 } from "path";
async function startFront(name, server, sessions, nodeFlags = []) {
  const port = await freePort();
  if (name === "mcp-proxy") return listening(name, mcpProxyCommand(port, server), port);
  if (name === "relay")
    return listening(
      name,
      nodeCommand(programPath("http-relay"), String(port), server.command, ...server.args),
      port
    );
  const mux = muxCommand(name, port, sessions);
  const front = await listening(name, { ...mux, args: [...nodeFlags, ...mux.args] }, port);
  await guarded(front, () => addServer(front, server));
  return front;
}
function isMux(name) {
  return name.startsWith("mcpmux");
}
function muxCommand(name, port, sessions) {
  const [, folder] = name.split(":");
  const bin = "bin/mcpmux.cjs";
  const file = folder === void 0 ? packageFile("@mcpmux/cli", bin) : join6(folder, bin);
  const flags = ["--add-policy", "allow", "--log-level", "error", "--no-socket"];
  return nodeCommand(file, "serve", "--http", String(port), "--max-sessions", String(sessions + 1), ...flags);
}
async function addServer(front, server) {
  const connection = new StreamableHttpConnection(front.url, front);
  const client = new RawClient(connection);
  await client.initialize();
  await client.callTool("add_server", { name: SERVER_NAME, ...server });
  await connection.endSession();
}
async function listening(name, command, port) {
  const process5 = new ManagedProcess(command);
  process5.child.stdout.resume();
  const stop = stoppedBySignal(process5);
  await guarded(stop, () => untilReady(process5, () => accepts(port)));
  return {
    name,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    pid: process5.pid,
    tool: isMux(name) ? `${SERVER_NAME}__echo` : "echo",
    [Symbol.asyncDispose]: () => stop[Symbol.asyncDispose]()
  };
}

// src/http/leaks.ts
import { readdirSync as readdirSync2 } from "fs";
var SETTLE_MS = 15e3;
var LOOK_MS = 50;
async function openIn({ name, pid, url }) {
  const sessions = isMux(name) ? sessionsIn(await metricsAt(url)) : 0;
  return { sessions, descriptors: readdirSync2(`/proc/${pid}/fd`).length };
}
async function leftIn(front, before) {
  const deadline = performance.now() + SETTLE_MS;
  for (; ; ) {
    const now = await openIn(front);
    const left = {
      sessions: now.sessions - before.sessions,
      descriptors: Math.max(0, now.descriptors - before.descriptors)
    };
    if (left.sessions === 0 && left.descriptors === 0 || performance.now() > deadline) return left;
    await new Promise((resolve2) => {
      setTimeout(resolve2, LOOK_MS);
    });
  }
}
function sessionsIn(metrics) {
  return Number(/^mcpmux_sessions (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}
async function metricsAt(url) {
  const answer = await fetch(new URL("/metrics", url), { headers: { connection: "close" } });
  return answer.text();
}

// src/http/session-crowd.ts
var IDS_PER_SESSION = 1e7;
var MS_PER_SECOND2 = 1e3;
var SessionCrowd = class _SessionCrowd {
  constructor(front, members2, answerBytes) {
    this.front = front;
    this.members = members2;
    this.answerBytes = answerBytes;
  }
  front;
  members;
  answerBytes;
  /** Opens so many sessions, and makes sure that each has its answers. */
  static async open(front, sessions) {
    const members2 = Array.from({ length: sessions }, (_, index) => {
      const connection = new StreamableHttpConnection(front.url, front);
      return [new RawClient(connection, index * IDS_PER_SESSION + 1), connection];
    });
    const answers = await Promise.all(
      members2.map(async ([client]) => {
        await client.initialize();
        return client.callTool(front.tool, { message: "hello" });
      })
    );
    const [first] = answers;
    if (first === void 0) throw new Error("a crowd has at least one session");
    return new _SessionCrowd(front, members2, first.bytes);
  }
  /** Calls: each session again when it has an answer. */
  async load({ sessions, inFlight, windowMs }) {
    const { pid, tool } = this.front;
    const plan = {
      request: toolCall(tool),
      inFlight,
      windowMs,
      minCalls: inFlight,
      answerBytes: this.answerBytes
    };
    const cpuBefore = cpuMicros(pid);
    const started = performance.now();
    const callers = this.members.slice(0, sessions);
    const samples = await Promise.all(callers.map(([client]) => client.load(plan)));
    const wallMs = performance.now() - started;
    const cpu = cpuMicros(pid) - cpuBefore;
    const latencies = together(samples);
    const calls = latencies.length;
    return {
      calls,
      callsPerSecond: calls / wallMs * MS_PER_SECOND2,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      cpuMicrosPerCall: cpu / calls,
      rssBytes: rssBytes(pid)
    };
  }
  /** Ends all sessions, each with a DELETE, and closes their connections. */
  async leave() {
    await Promise.all(this.members.map(([, connection]) => connection.endSession()));
  }
};
function together(samples) {
  return Float64Array.from(samples.flatMap(({ latencies }) => [...latencies])).toSorted();
}

// src/http/front-lineup.ts
var FrontLineup = class {
  fronts = [];
  entries = /* @__PURE__ */ new Map();
  /** Starts a front, and opens its sessions. */
  async start(name, server, sessions) {
    const front = await startFront(name, server, sessions);
    this.fronts.push(front);
    const before = await openIn(front);
    this.entries.set(name, { front, before, crowd: await SessionCrowd.open(front, sessions) });
  }
  /** One window of load. */
  load(name, load) {
    const entry = this.entries.get(name);
    if (entry === void 0) throw new Error(`${name} was not started`);
    return entry.crowd.load(load);
  }
  /** Ends all sessions. Resolves with what mcpmux still has open then, beyond what was open before. */
  async leave() {
    await Promise.all([...this.entries.values()].map(({ crowd }) => crowd.leave()));
    const mux = this.entries.get("mcpmux");
    return mux === void 0 ? { sessions: 0, descriptors: 0 } : leftIn(mux.front, mux.before);
  }
  async [Symbol.asyncDispose]() {
    await Promise.all(this.fronts.map((front) => front[Symbol.asyncDispose]()));
  }
};

// src/http/idle-sessions.ts
import { once as once2 } from "events";
import { Agent as Agent3, request as request3 } from "http";
import process2 from "process";
import { setTimeout as delay } from "timers/promises";
var FIRST = 100;
var NODE_FLAGS = [
  "--max-semi-space-size=1",
  "--compact-on-every-full-gc",
  "--expose-gc",
  "--import",
  programPath("collect-garbage")
];
var AT_ONCE = 20;
var SETTLE_MS2 = 1e3;
var TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" };
async function idleSessionBytes(sessions) {
  var _stack = [];
  try {
    const front = __using(_stack, await startFront("mcpmux", echoServer("100b"), FIRST + sessions, NODE_FLAGS), true);
    const first = await openSome(front, FIRST);
    const before = await settled(front);
    const more = await openSome(front, sessions);
    const after = await settled(front);
    for (const stream of [...first, ...more]) stream.destroy();
    return (after - before) / sessions;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function openSome(front, count) {
  const open = [];
  while (open.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - open.length) }, () => openOne(front));
    open.push(...await Promise.all(some));
  }
  return open;
}
async function openOne({ url }) {
  const opening = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
  const { headers } = await posted(url, {}, opening);
  const session = { "mcp-session-id": String(headers["mcp-session-id"]) };
  await posted(url, session, { jsonrpc: "2.0", method: "notifications/initialized" });
  const stream = request3(url, { agent: false, headers: { ...TYPES, ...session } });
  stream.on("error", () => void 0).end();
  const [response] = await once2(stream, "response");
  response.on("error", () => void 0).resume();
  return stream;
}
function posted(url, session, message) {
  return new Promise((resolve2, reject) => {
    post({
      url,
      agent: new Agent3(),
      headers: { ...TYPES, ...session },
      message: JSON.stringify(message),
      onResponse: (response) => response.on("end", () => resolve2(response)).resume(),
      onFailure: reject
    });
  });
}
async function settled({ pid }) {
  await delay(SETTLE_MS2);
  process2.kill(pid, "SIGUSR2");
  await delay(SETTLE_MS2);
  return rssBytes(pid);
}

// src/http/run-http.ts
var PAYLOADS2 = ["100b", "structured"];
var MANY_IN_FLIGHT = 16;
var ROUNDS_PER_PEER_ROUND = 4;
var WARM_UP_WINDOWS2 = 5;
async function runHttp(options2, progress) {
  const cells = [];
  const left = { sessions: 0, descriptors: 0 };
  for (const payload of PAYLOADS2) {
    progress(`http: ${payload}`);
    const { found, leaks } = await measured(payload, options2);
    cells.push(...found);
    left.sessions += leaks.sessions;
    left.descriptors += leaks.descriptors;
  }
  progress("http: idle sessions");
  return { ...options2, cells, left, idleSessionBytes: await idleSessionBytes(options2.idleSessions) };
}
async function measured(payload, options2) {
  var _stack = [];
  try {
    const { sessions, fronts } = options2;
    const lineup = __using(_stack, new FrontLineup(), true);
    for (const name of withRelay(fronts)) await lineup.start(name, echoServer(payload), sessions);
    const found = [];
    for (const load of loadsOf(payload, sessions)) found.push(await cellOf(load, lineup, options2));
    return { found, leaks: await lineup.leave() };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function withRelay(fronts) {
  return ["relay", ...fronts];
}
function loadsOf(payload, sessions) {
  return [
    { payload, sessions, inFlight: 1 },
    { payload, sessions: Math.max(1, Math.round(sessions / 10)), inFlight: MANY_IN_FLIGHT }
  ];
}
async function cellOf(load, lineup, { rounds, windowMs, fronts }) {
  const samples = withRelay(fronts).map((name) => ({ name, figures: [] }));
  for (const { name } of samples) await lineup.load(name, { ...load, windowMs: WARM_UP_WINDOWS2 * windowMs });
  const peerRounds = Math.ceil(rounds / ROUNDS_PER_PEER_ROUND);
  for (let round = 0; round < rounds; round += 1) {
    const turn = samples.filter(({ name }) => name !== "mcp-proxy" || round < peerRounds);
    for (const { name, figures: figures2 } of round % 2 === 0 ? turn : turn.toReversed())
      figures2.push(await lineup.load(name, { ...load, windowMs }));
  }
  const [relay = { figures: [] }, ...others] = samples;
  return {
    ...load,
    relay: relay.figures,
    fronts: others.map(({ figures: figures2 }, index) => ({
      front: fronts[index] ?? "mcpmux",
      rounds: figures2,
      ratio: ratioTo(relay.figures, figures2)
    }))
  };
}

// src/measure/machine.ts
import { readFileSync as readFileSync2 } from "fs";
import { cpus, loadavg, release, totalmem } from "os";
import process3 from "process";
function describeMachine() {
  const all = cpus();
  return {
    cpu: all[0]?.model ?? "unknown",
    cores: all.length,
    memoryBytes: totalmem(),
    system: `${process3.platform} ${release()} ${process3.arch}`,
    node: process3.version,
    loadBefore: loadavg()[0] ?? Number.NaN,
    date: (/* @__PURE__ */ new Date()).toISOString().slice(0, 10)
  };
}
function watchStolenTime() {
  const read = () => machineTicks(readFileSync2("/proc/stat", "latin1"));
  const before = read();
  return () => {
    const { total, stolen } = read();
    return total === before.total ? 0 : (stolen - before.stolen) / (total - before.total);
  };
}

// src/scale/oversized.ts
var OVERSIZED_BYTES = 64e6;
var CALLS_BEFORE = 200;
async function runOversized() {
  var _stack = [];
  try {
    const mux = __using(_stack, await mcpmux.start(echoServer("100b")), true);
    const { client, pid = 0 } = mux;
    await client.callTool("add_server", { name: "big", ...echoServer(OVERSIZED_BYTES) });
    const before = await slowestCall(mux, (calls) => calls < CALLS_BEFORE);
    const memoryBefore = peakRssBytes(pid);
    let isOver = false;
    const answer = client.request("tools/call", { name: "big__echo", arguments: {} }).catch(() => {
    });
    const refused = answer.then(() => isOver = true);
    const meanwhile = await slowestCall(mux, () => !isOver);
    await refused;
    return {
      bytes: OVERSIZED_BYTES,
      slowestBeforeMs: before,
      slowestMeanwhileMs: meanwhile,
      memoryBytes: peakRssBytes(pid) - memoryBefore
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function slowestCall({ client, tool }, goesOn) {
  let slowest = 0;
  for (let calls = 0; goesOn(calls); calls += 1) {
    const started = performance.now();
    await client.callTool(tool, { message: "hello" });
    slowest = Math.max(slowest, performance.now() - started);
  }
  return slowest;
}

// src/scale/probes.ts
var IN_FLIGHT2 = 32;
async function measureCalls({ client, pid }, tool, load) {
  const { bytes } = await client.callTool(tool, { message: "hello" });
  const plan = { inFlight: IN_FLIGHT2, windowMs: 0, minCalls: 0, ...load };
  return measureLoad(client, pid, { ...plan, request: toolCall(tool), answerBytes: bytes });
}
async function measureLists({ client, pid }, windowMs) {
  const { result, bytes } = await client.request("tools/list");
  const plan = {
    inFlight: 1,
    windowMs,
    minCalls: 1,
    request: plainRequest("tools/list"),
    answerBytes: bytes
  };
  const figures2 = await measureLoad(client, pid, plan);
  const { tools } = result;
  return { ...figures2, tools: tools.length };
}

// src/scale/in-flight-curve.ts
async function inFlightCurve(sizes, windowMs) {
  var _stack = [];
  try {
    const mux = __using(_stack, await mcpmux.start(echoServer("100b")), true);
    await measureCalls(mux, mux.tool, { windowMs });
    const points = [];
    for (const size2 of sizes) {
      const calls = await measureCalls(mux, mux.tool, { windowMs, inFlight: size2, minCalls: size2 });
      const { callsPerSecond, cpuMicrosPerCall, rssBytes: rssBytes2 } = calls;
      const values = {
        callsPerSecond,
        callCpu: cpuMicrosPerCall ?? Number.NaN,
        rss: (rssBytes2 ?? Number.NaN) / 1e6
      };
      points.push({ size: size2, values });
    }
    return {
      name: "in-flight",
      label: "calls in flight",
      metrics: [
        { key: "callsPerSecond", label: "calls", unit: "/s" },
        { key: "callCpu", label: "CPU per call", unit: "\xB5s" },
        { key: "rss", label: "RSS", unit: "MB" }
      ],
      points
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}

// src/scale/calls-curve.ts
import { once as once3 } from "events";
var IDLE = "process.stdin.resume(); process.stdout.write('x')";
async function callsCurve(sizes) {
  var _stack = [];
  try {
    const bare = await bareNodeRss();
    const pipe = __using(_stack, await bytePipe.start(echoServer("100b")), true);
    const mux = __using(_stack, await mcpmux.start(echoServer("100b")), true);
    const points = [];
    let done = 0;
    for (const size2 of sizes) {
      const values = {
        bare,
        pipe: await rssAfter(pipe, size2 - done),
        mcpmux: await rssAfter(mux, size2 - done)
      };
      points.push({ size: size2, values });
      done = size2;
    }
    return {
      name: "calls",
      label: "calls so far",
      metrics: [
        { key: "bare", label: "RSS of a bare Node.js", unit: "MB" },
        { key: "pipe", label: "RSS of the byte pipe", unit: "MB" },
        { key: "mcpmux", label: "RSS of mcpmux", unit: "MB" }
      ],
      points
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function rssAfter(target, calls) {
  const { rssBytes: rss } = await measureCalls(target, target.tool, { minCalls: calls });
  return (rss ?? Number.NaN) / 1e6;
}
async function bareNodeRss() {
  var _stack = [];
  try {
    const idle = __using(_stack, new ManagedProcess(nodeCommand("-e", IDLE)), true);
    await once3(idle.child.stdout, "data");
    return rssBytes(idle.pid) / 1e6;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}

// src/scale/tiny-server.ts
var INITIALIZED = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tiny","version":"1"}}';
var TOOLS = '{"tools":[{"name":"noop","description":"Does nothing.","inputSchema":{"type":"object","properties":{}}}]}';
var SCRIPT = `
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
while IFS= read -r line; do
  id=\${line#*'"id":'}
  id=\${id%%[,\\}]*}
  case $line in
    *'"method":"initialize"'*) answer '${INITIALIZED}' ;;
    *'"method":"tools/list"'*) answer '${TOOLS}' ;;
  esac
done
`;
var TINY_SERVER = { command: "sh", args: ["-c", SCRIPT] };

// src/scale/servers-curve.ts
var MUX_HOST = nodeCommand(programPath("mux-host"));
async function serversCurve(sizes, windowMs) {
  var _stack = [];
  try {
    const mux = __using(_stack, await startMux(MUX_HOST, echoServer("100b")), true);
    await measureCalls(mux, mux.tool, { windowMs });
    const points = [];
    let servers = 1;
    for (const size2 of sizes) {
      await addTinyServers(mux, servers, size2);
      servers = Math.max(servers, size2);
      points.push({ size: servers, values: await measure(mux, windowMs) });
    }
    return {
      name: "servers",
      label: "servers",
      metrics: [
        { key: "listCpu", label: "CPU per tools/list", unit: "\xB5s" },
        { key: "listCpuPerTool", label: "CPU per tools/list and tool", unit: "\xB5s" },
        { key: "callCpu", label: "CPU per call", unit: "\xB5s" },
        { key: "callP50", label: "p50 of a call", unit: "ms" },
        { key: "rss", label: "RSS", unit: "MB" }
      ],
      points
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function addTinyServers({ client }, from, to) {
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  await Promise.all(
    indexes.map((index) => client.callTool("add_server", { name: `tiny${index}`, ...TINY_SERVER }))
  );
}
async function measure(mux, windowMs) {
  const rss = mux.pid === void 0 ? Number.NaN : rssBytes(mux.pid);
  const lists = await measureLists(mux, windowMs);
  const calls = await measureCalls(mux, mux.tool, { windowMs });
  const alone = await measureCalls(mux, mux.tool, { windowMs, inFlight: 1 });
  const listCpu = lists.cpuMicrosPerCall ?? Number.NaN;
  return {
    listCpu,
    listCpuPerTool: listCpu / lists.tools,
    callCpu: calls.cpuMicrosPerCall ?? Number.NaN,
    callP50: alone.p50Ms,
    rss: rss / 1e6
  };
}

// src/scale/tools-curve.ts
async function toolsCurve(sizes, windowMs) {
  const points = [];
  for (const size2 of sizes) points.push({ size: size2, values: await measure2(size2, windowMs) });
  return {
    name: "tools",
    label: "tools",
    metrics: [
      { key: "listCpu", label: "CPU per tools/list", unit: "\xB5s" },
      { key: "listCpuPerTool", label: "CPU per tools/list and tool", unit: "\xB5s" },
      { key: "callCpu", label: "CPU per call", unit: "\xB5s" },
      { key: "rss", label: "RSS", unit: "MB" }
    ],
    points
  };
}
async function measure2(tools, windowMs) {
  var _stack = [];
  try {
    const mux = __using(_stack, await startMux(MUX_HOST, echoServer("100b", ["--tools", String(tools)])), true);
    const tool = tools === 1 ? mux.tool : `${SERVER_NAME}__echo_${tools - 1}`;
    await measureCalls(mux, tool, { windowMs });
    const calls = await measureCalls(mux, tool, { windowMs });
    const lists = await measureLists(mux, windowMs);
    const listCpu = lists.cpuMicrosPerCall ?? Number.NaN;
    return {
      listCpu,
      listCpuPerTool: listCpu / lists.tools,
      callCpu: calls.cpuMicrosPerCall ?? Number.NaN,
      rss: (lists.rssBytes ?? Number.NaN) / 1e6
    };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}

// src/scale/run-scale.ts
async function runScale(options2, progress) {
  const { servers, tools, inFlight, calls, windowMs } = options2;
  progress("scale: servers");
  const ofServers = await serversCurve(servers, windowMs);
  progress("scale: tools");
  const ofTools = await toolsCurve(tools, windowMs);
  progress("scale: calls in flight");
  const ofInFlight = await inFlightCurve(inFlight, windowMs);
  progress("scale: calls");
  return [ofServers, ofTools, ofInFlight, await callsCurve(calls)];
}

// src/start-up/install-size.ts
import { execFile } from "child_process";
import { lstat, mkdtemp as mkdtemp2, readdir, readFile as readFile2, rm as rm2 } from "fs/promises";
import { tmpdir as tmpdir2 } from "os";
import { join as join7 } from "path";
import { promisify } from "util";
var run = promisify(execFile);
async function measureInstall() {
  const folder = await mkdtemp2(join7(tmpdir2(), "mcpmux-bench-install-"));
  try {
    const packed = await npm(packageFolder("@mcpmux/cli"), "pack", "--json", "--pack-destination", folder);
    const [{ filename }] = JSON.parse(packed);
    const tarball = join7(folder, filename);
    const { size: size2 } = await lstat(tarball);
    await npm(folder, "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", tarball);
    const modules = join7(folder, "node_modules");
    const lock = await readFile2(join7(modules, ".package-lock.json"), "utf8");
    const { packages } = JSON.parse(lock);
    return {
      tarballBytes: size2,
      installedBytes: await bytesIn(modules),
      packages: Object.keys(packages).length
    };
  } finally {
    await rm2(folder, { recursive: true, force: true });
  }
}
async function npm(cwd, ...args) {
  const { stdout } = await run("npm", [...args], { cwd, env: benchEnvironment() });
  return stdout;
}
async function bytesIn(folder) {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === ".package-lock.json") continue;
    bytes += (await lstat(join7(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

// src/start-up/run-start-up.ts
async function runStartUp(runs) {
  await bareNode();
  await untilInitialized();
  const node = [];
  const mcpmux2 = [];
  for (let run2 = 0; run2 < runs; run2 += 1) {
    node.push(await bareNode());
    mcpmux2.push(await untilInitialized());
  }
  return { node: startTimes(node), mcpmux: startTimes(mcpmux2) };
}
async function bareNode() {
  const started = performance.now();
  await new ManagedProcess(nodeCommand("-e", "0")).exited;
  return performance.now() - started;
}
async function untilInitialized() {
  var _stack = [];
  try {
    const started = performance.now();
    const connection = __using(_stack, new StdioConnection(new ManagedProcess(MCPMUX_COMMAND)), true);
    await new RawClient(connection).initialize();
    return performance.now() - started;
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function startTimes(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return { samples, median: median(samples), p90: quantile(sorted, 0.9) };
}

// src/url/url-peers.ts
async function startUrlServer(payload, kind) {
  const port = await freePort();
  const flags = kind === "stream" ? ["--stream"] : [];
  const process5 = new ManagedProcess(nodeCommand(programPath("url-server"), String(port), payload, ...flags));
  process5.child.stdout.resume();
  const stop = stoppedBySignal(process5);
  await guarded(stop, () => untilReady(process5, () => accepts(port)));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: () => stop[Symbol.asyncDispose]()
  };
}
function startUrlRelay(url) {
  const process5 = new ManagedProcess(nodeCommand(programPath("url-relay"), url));
  return running(new StdioConnection(process5), { tool: "echo", pid: process5.pid });
}
async function startUrlMux(url) {
  const process5 = new ManagedProcess(MCPMUX_COMMAND);
  const tool = `${SERVER_NAME}__echo`;
  const target = await running(new StdioConnection(process5), { tool, pid: process5.pid });
  await guarded(target, () => target.client.callTool("add_server", { name: SERVER_NAME, url }));
  return target;
}

// src/url/run-urls.ts
var KINDS = [
  ["100b", "body"],
  ["100b", "stream"],
  ["structured", "body"]
];
var IN_FLIGHT3 = [1, 32, 200];
var WARM_UP_MS = 1e3;
var WARM_UP_IN_FLIGHT2 = 32;
async function runUrls(options2) {
  const cells = [];
  for (const [payload, answers] of KINDS) cells.push(...await measured2(payload, answers, options2));
  return { ...options2, cells };
}
async function measured2(payload, answers, { rounds, windowMs }) {
  var _stack = [];
  try {
    const server = __using(_stack, await startUrlServer(payload, answers), true);
    const relay = __using(_stack, await startUrlRelay(server.url), true);
    const mcpmux2 = __using(_stack, await startUrlMux(server.url), true);
    const relayed = await warm(relay, payload);
    const muxed = await warm(mcpmux2, payload);
    const cells = IN_FLIGHT3.map((inFlight) => ({
      inFlight,
      relays: [],
      muxes: []
    }));
    for (let round = 0; round < rounds; round += 1)
      for (const { inFlight, relays, muxes } of cells) {
        const turn = [
          { call: relayed, into: relays },
          { call: muxed, into: muxes }
        ];
        for (const { call, into } of round % 2 === 0 ? turn : turn.toReversed())
          into.push(await call(inFlight, windowMs));
      }
    return cells.map(({ inFlight, relays, muxes }) => ({
      payload,
      answers,
      inFlight,
      relay: relays,
      mcpmux: muxes,
      ratio: ratioTo(relays, muxes)
    }));
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function warm(way, payload) {
  const { client, pid, tool } = way;
  const answerBytes = await verifyAnswers(way, payload);
  const call = (inFlight, windowMs) => measureLoad(client, pid, {
    request: toolCall(tool),
    inFlight,
    windowMs,
    minCalls: inFlight,
    answerBytes
  });
  await call(WARM_UP_IN_FLIGHT2, WARM_UP_MS);
  return call;
}

// src/run-bench.ts
var MS_PER_SECOND3 = 1e3;
async function runBench(options2, progress) {
  const machine = describeMachine();
  const stolen = watchStolenTime();
  const started = performance.now();
  const part = async (section, run2) => {
    if (!options2.sections.includes(section)) return null;
    progress(section);
    return run2();
  };
  const forwarding = await part("forwarding", () => runForwarding(options2.forwarding, progress));
  const startUp = await part("start-up", () => runStartUp(options2.startUpRuns));
  const install = await part("install", () => measureInstall());
  const scale = await part("scale", () => runScale(options2.scale, progress));
  const oversized = await part("oversized", () => runOversized());
  const http = await part("http", () => runHttp(options2.http, progress));
  const urls = await part("urls", () => runUrls(options2.urls));
  const seconds = Math.round((performance.now() - started) / MS_PER_SECOND3);
  const { forwarding: load, isSmoke } = options2;
  return {
    format: 1,
    machine,
    isSmoke,
    options: load,
    seconds,
    stolenShare: stolen(),
    forwarding,
    startUp,
    install,
    scale,
    oversized,
    http,
    urls
  };
}

// src/main.ts
function readCommandLine() {
  try {
    return parseOptions(process4.argv.slice(2));
  } catch (error) {
    process4.stderr.write(`${error instanceof Error ? error.message : String(error)}

${USAGE}`);
    process4.exit(2);
  }
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process4.once(signal, () => process4.exit(128 + constants.signals[signal]));
}
var options = readCommandLine();
if (options.wantsHelp) {
  process4.stdout.write(USAGE);
} else {
  const report = await runBench(options, (text) => process4.stderr.write(`${text}
`));
  if (options.jsonFile !== void 0) writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}
`);
  if (options.writesDocs) await writeDocs(report);
  process4.stdout.write(toMarkdown(report));
  const { left } = report.http ?? {};
  if (left !== void 0 && left.sessions + left.descriptors > 0) process4.exitCode = 1;
  if (report.forwarding !== null && report.forwarding.failures.length > 0) process4.exitCode = 1;
}
//# sourceMappingURL=main.js.map