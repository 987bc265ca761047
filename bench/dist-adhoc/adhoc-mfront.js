// ../cost2/mfront.ts
import process2 from "node:process";
import { Agent as Agent3, request as request3 } from "node:http";

// bench/src/http/http-front.ts
import { join as join2 } from "node:path";

// bench/src/guarded.ts
async function guarded(resource, work) {
  try {
    return await work();
  } catch (error) {
    await resource[Symbol.asyncDispose]();
    throw error;
  }
}

// bench/src/load/call-log.ts
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
  answer(id2, now) {
    const index = id2 - this.firstId;
    const time = index >= 0 && index < this.sentCount ? this.times[index] : void 0;
    if (time === void 0) throw new Error(`an answer to call ${id2}, which was not sent`);
    if (time >= 0) throw new Error(`a second answer to call ${id2}`);
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

// bench/src/load/run-load.ts
var STALL_MS = 6e4;
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
      const id2 = received.answerId();
      if (id2 === void 0) return;
      log.answer(id2, now);
      checkLength(received, id2, plan.answerBytes);
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
function checkLength(line, id2, expected) {
  const bytes = line.length - String(id2).length;
  if (bytes === expected) return;
  throw new Error(`an answer of ${bytes} bytes instead of ${expected}: ${line.text().slice(0, 300)}`);
}
function stallMessage(log) {
  return `${log.sent - log.answered} of ${log.sent} calls are not answered`;
}

// bench/src/load/raw-client.ts
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
    const id2 = this.nextId;
    this.nextId += 1;
    const line = await new Promise((resolve2, reject) => {
      this.waiting.set(id2, { resolve: resolve2, reject });
      this.connection.send(
        JSON.stringify({ jsonrpc: "2.0", id: id2, method, params: { ...params, ...this.envelope } })
      );
    });
    const text2 = line.text();
    const { result } = JSON.parse(text2);
    if (result === void 0) throw new Error(`${method}: ${text2.slice(0, 500)}`);
    return { result, bytes: line.length - String(id2).length };
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
    const { id: id2, method } = JSON.parse(line.text());
    if (method !== void 0) return;
    const waiter = typeof id2 === "number" ? this.waiting.get(id2) : void 0;
    if (typeof id2 !== "number" || waiter === void 0) {
      this.fail(new Error(`an answer that nobody waits for, with the id ${JSON.stringify(id2)}`));
      return;
    }
    this.waiting.delete(id2);
    waiter.resolve(line);
  }
  fail(reason) {
    this.failure ??= reason;
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }
};

// bench/src/load/streamable-http-connection.ts
import { once } from "node:events";
import { Agent, request as request2 } from "node:http";

// bench/src/load/connection.ts
var NOBODY = { line: () => {
}, ended: () => {
} };

// bench/src/load/http-post.ts
import { request } from "node:http";
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

// bench/src/load/scanned-line.ts
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
function numberAt(text2, index) {
  const number = Number.parseInt(text2.slice(index), 10);
  return Number.isNaN(number) ? void 0 : number;
}

// bench/src/load/line-scanner.ts
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

// bench/src/load/server-sent-events.ts
var DATA = "data: ";
function onDataLine(handle) {
  return (line) => {
    if (line.startsWith(DATA)) handle(line.skip(DATA.length));
  };
}

// bench/src/load/streamable-http-connection.ts
var SESSION_HEADER = "mcp-session-id";
var StreamableHttpConnection = class {
  /** The end of the connection is the end of the peer that listens at `url`. */
  constructor(url, peer) {
    this.url = url;
    this.peer = peer;
  }
  url;
  peer;
  agent = new Agent({ keepAlive: true });
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

// bench/src/managed-process.ts
import { spawn } from "node:child_process";
import process from "node:process";
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

// bench/src/program-path.ts
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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

// bench/src/targets/http-peer.ts
import { randomInt } from "node:crypto";
import { connect, createServer } from "node:net";
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
async function untilReady(process3, ask) {
  const deadline = performance.now() + START_MS;
  while (!await ask()) {
    if (process3.hasExited || performance.now() > deadline) throw process3.failure("does not become ready");
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

// bench/src/targets/target.ts
var UNBOUNDED = Number.POSITIVE_INFINITY;
var BOUNDED = 4e7;
async function running(connection, { tool, pid, envelope }) {
  const client = new RawClient(connection, 1, envelope);
  await guarded(connection, () => client.initialize());
  return { client, tool, pid, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}

// bench/src/targets/mcp-proxy.ts
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
    const process3 = new ManagedProcess(mcpProxyCommand(port, server));
    process3.child.stdout.resume();
    const stop = stoppedBySignal(process3);
    await guarded(stop, () => untilReady(process3, () => accepts(port)));
    const connection = new StreamableHttpConnection(new URL(`http://127.0.0.1:${port}/mcp`), stop);
    return running(connection, { tool: "echo", pid: process3.pid });
  }
};

// bench/src/load/stdio-connection.ts
var StdioConnection = class {
  constructor(process3) {
    this.process = process3;
    const scanner = new LineScanner((line) => this.handler.line(line));
    const { stdin, stdout } = process3.child;
    stdout.on("data", (chunk) => scanner.push(chunk));
    stdin.on("error", (error) => this.handler.ended(error));
    void process3.exited.then(() => this.handler.ended(process3.failure("ended")));
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

// bench/src/targets/stdio-targets.ts
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
function mcpmuxCommand(...args) {
  return nodeCommand(packageFile("@mcpmux/cli", "bin/mcpmux.cjs"), ...args);
}
async function startMux(command, server, { envelope = {}, protocol = "auto" } = {}) {
  const process3 = new ManagedProcess(command);
  const tool = `${SERVER_NAME}__echo`;
  const target = await running(new StdioConnection(process3), { tool, pid: process3.pid, envelope });
  const added = { name: SERVER_NAME, ...server, protocol };
  await guarded(target, () => target.client.callTool("add_server", added));
  return target;
}
function proxyTarget(program, maxBytesInFlight) {
  return {
    label: program,
    maxBytesInFlight,
    start: (server) => {
      const process3 = new ManagedProcess(nodeCommand(programPath(program), server.command, ...server.args));
      return running(new StdioConnection(process3), { tool: "echo", pid: process3.pid });
    }
  };
}

// bench/src/http/http-front.ts
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
  const file = folder === void 0 ? packageFile("@mcpmux/cli", bin) : join2(folder, bin);
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
  const process3 = new ManagedProcess(command);
  process3.child.stdout.resume();
  const stop = stoppedBySignal(process3);
  await guarded(stop, () => untilReady(process3, () => accepts(port)));
  return {
    name,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    pid: process3.pid,
    tool: isMux(name) ? `${SERVER_NAME}__echo` : "echo",
    [Symbol.asyncDispose]: () => stop[Symbol.asyncDispose]()
  };
}

// bench/src/measure/process-usage.ts
import { readdirSync, readFileSync } from "node:fs";
import { join as join3 } from "node:path";

// bench/src/measure/proc-files.ts
function runNanos(schedstat) {
  const nanos = Number.parseInt(schedstat, 10);
  if (Number.isNaN(nanos)) throw new Error(`not a schedstat file: ${schedstat.slice(0, 100)}`);
  return nanos;
}
function residentBytes(status, which) {
  const line = status.split("\n").find((text2) => text2.startsWith(`${which}:`));
  const kilobytes = Number.parseInt(line?.slice(which.length + 1) ?? "", 10);
  if (Number.isNaN(kilobytes)) throw new Error(`no ${which} in: ${status.slice(0, 100)}`);
  return kilobytes * 1024;
}

// bench/src/measure/process-usage.ts
var NANOS_PER_MICRO = 1e3;
function cpuMicros(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((tid) => threadNanos(`/proc/${pid}/task/${tid}`));
  return nanos.reduce((sum, one) => sum + one, 0) / NANOS_PER_MICRO;
}
function threadNanos(folder) {
  try {
    return runNanos(readFileSync(join3(folder, "schedstat"), "latin1"));
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

// bench/src/measure/statistics.ts
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[middle - 1] ?? Number.NaN;
  const sum = lower + upper;
  return Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2;
}

// bench/src/targets/era-targets.ts
var ERA_TARGETS = {
  "modern-byte-pipe": {
    label: "byte-pipe, 2026-07-28",
    maxBytesInFlight: UNBOUNDED,
    start: (server) => {
      const { command, args } = modern(server);
      const process3 = new ManagedProcess(nodeCommand(programPath("byte-pipe"), command, ...args));
      const connection = new StdioConnection(process3);
      return running(connection, { tool: "echo", pid: process3.pid, envelope: ENVELOPE });
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

// bench/src/targets/mcp-hub.ts
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as join4 } from "node:path";

// bench/src/load/sse-connection.ts
import { Agent as Agent2, get } from "node:http";
var SseConnection = class _SseConnection {
  constructor(stream, peer, base2) {
    this.stream = stream;
    this.peer = peer;
    this.endpoint = base2;
    const scanner = new LineScanner(onDataLine((line) => this.handler.line(line)));
    stream.on("data", (chunk) => scanner.push(chunk));
    stream.on("error", (error) => this.handler.ended(error));
    stream.on("end", () => this.handler.ended(new Error(`the event stream of ${base2.href} has ended`)));
  }
  stream;
  peer;
  agent = new Agent2({ keepAlive: true });
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

// bench/src/targets/mcp-hub.ts
var mcpHub = {
  label: "mcp-hub (HTTP+SSE)",
  maxBytesInFlight: BOUNDED,
  async start(server) {
    const port = await freePort();
    const folder = await prepareFolder(server);
    const process3 = startHub(port, folder);
    const { [Symbol.asyncDispose]: stop } = stoppedBySignal(process3);
    const hub = {
      async [Symbol.asyncDispose]() {
        await stop();
        await rm(folder, { recursive: true, force: true });
      }
    };
    const base2 = `http://127.0.0.1:${port}`;
    await guarded(hub, () => untilReady(process3, () => isReady(`${base2}/api/health`)));
    const connection = await guarded(hub, () => SseConnection.open(new URL(`${base2}/mcp`), hub));
    return running(connection, { tool: `${SERVER_NAME}__echo`, pid: process3.pid });
  }
};
function startHub(port, folder) {
  const flags = ["--port", String(port), "--config", join4(folder, "servers.json")];
  const preload = ["--import", programPath("listen-on-loopback")];
  const command = nodeCommand(...preload, packageFile("mcp-hub", "dist/cli.js"), ...flags);
  const home = { XDG_DATA_HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const process3 = new ManagedProcess(command, benchEnvironment(home));
  process3.child.stdout.resume();
  return process3;
}
async function prepareFolder({ command, args }) {
  const folder = await mkdtemp(join4(tmpdir(), "mcpmux-bench-hub-"));
  const cache = join4(folder, "mcp-hub", "cache");
  await mkdir(cache, { recursive: true });
  const catalogue = { registry: { servers: [{}] }, lastFetchedAt: Date.now(), serverDocumentation: {} };
  await writeFile(join4(cache, "registry.json"), JSON.stringify(catalogue));
  const configuration = { mcpServers: { [SERVER_NAME]: { command, args } } };
  await writeFile(join4(folder, "servers.json"), JSON.stringify(configuration));
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

// bench/src/targets/targets.ts
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

// bench/src/payload.ts
var KILOBYTE = 1e3;
var STRUCTURED_BYTES = 100 * KILOBYTE;
var FILLER = "The quick brown fox jumps over the lazy dog. ";
var PAYLOADS = {
  "100b": text("100 B", 100),
  "10k": text("10 KB", 10 * KILOBYTE),
  "1m": text("1 MB", 1e3 * KILOBYTE),
  structured: { label: "structured 100 KB", bytes: STRUCTURED_BYTES, result: structuredResult }
};
function text(label, bytes) {
  const result = () => ({
    content: [{ type: "text", text: FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, bytes) }]
  });
  return { label, bytes, result };
}
function structuredResult() {
  const rows = [];
  for (let size = 0; size < STRUCTURED_BYTES; ) {
    const index = rows.length;
    const row = {
      number: index,
      name: `row ${index}`,
      done: index % 3 === 0,
      share: index / 7,
      tags: ["a", "b"]
    };
    rows.push(row);
    size += JSON.stringify(row).length + 1;
  }
  return { content: [{ type: "text", text: `${rows.length} rows` }], structuredContent: { rows } };
}

// bench/src/forwarding/lineup.ts
function echoServer(payload, flags = []) {
  return nodeCommand(programPath("echo-server"), String(payload), ...flags);
}

// ../cost2/mfront.ts
var [rounds, par, ...muxes] = process2.argv.slice(2);
var fronts = [];
for (const m of muxes) {
  const [label, folder] = m.split("=");
  fronts.push({ label, front: await startFront(`mcpmux:${folder}`, echoServer("100b"), 200), figs: [], agent: new Agent3({ keepAlive: true, maxSockets: Number(par) }) });
}
var id = 0;
function post2(f) {
  return new Promise((resolve2, reject) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params: { name: f.front.tool, arguments: { message: "hello" }, ...ENVELOPE } });
    const r = request3(f.front.url, { method: "POST", agent: f.agent, headers: { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": f.front.tool, "content-length": Buffer.byteLength(body) } }, (res) => {
      let t = "";
      res.on("data", (d) => t += d);
      res.on("end", () => res.statusCode === 200 && t.includes('"result"') ? resolve2() : reject(new Error(`${res.statusCode} ${t}`)));
    });
    r.on("error", reject);
    r.end(body);
  });
}
async function load(f, ms) {
  const end = Date.now() + ms;
  let n = 0;
  const c = cpuMicros(f.front.pid);
  await Promise.all(Array.from({ length: Number(par) }, async () => {
    while (Date.now() < end) {
      await post2(f);
      n++;
    }
  }));
  return (cpuMicros(f.front.pid) - c) / n;
}
for (const f of fronts) await load(f, 2e3);
for (let r = 0; r < Number(rounds); r++) for (const f of r % 2 ? fronts.toReversed() : fronts) f.figs.push(await load(f, 400));
var base = fronts[0];
for (const f of fronts) console.log(f.label, median(f.figs).toFixed(1), "us CPU per call; to the first", median(f.figs.map((x, i) => x / base.figs[i])).toFixed(2), (rssBytes(f.front.pid) / 1e6).toFixed(0), "MB");
for (const f of fronts) await f.front[Symbol.asyncDispose]();
process2.exit(0);
