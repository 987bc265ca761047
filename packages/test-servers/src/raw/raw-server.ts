import process from 'node:process';

import { connectLifeline } from './lifeline-client.js';
import { readLines } from './lines.js';
import type { Message, Params, RequestId } from './message.js';
import { answer, fail } from './output.js';

/** A request, with the exact bytes of its line. */
export interface Request {
  readonly id: RequestId;
  readonly params: Params;
  readonly line: Buffer;
}

/** A `tools/call` request. */
export interface ToolCall extends Request {
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A tool. `input` maps its arguments, all required, to their JSON Schema types. */
export interface Tool {
  readonly name: string;
  readonly input?: Readonly<Record<string, 'string' | 'integer' | 'object'>>;
  /** Additional members of the tool's entry in `tools/list`. */
  readonly extraMembers?: object;
  call(call: ToolCall): void;
}

/** The settings in which the raw fixtures differ. */
export interface Program {
  readonly name: string;
  readonly capabilities?: object;
  readonly tools?: readonly Tool[];
  /** Handlers for additional methods, by method name. */
  readonly requests?: Readonly<Record<string, (request: Request) => void>>;
  /** Called first for every message. Calls `proceed` for the usual handling, immediately, later or never. */
  intercept?(message: Message, proceed: () => void, line: Buffer): void;
}

/** Serves MCP on stdin and stdout without an SDK, so that a fixture controls every byte. */
export function serve(program: Program): void {
  connectLifeline('server');
  readLines(process.stdin, (line) => {
    const message: Message = JSON.parse(line.toString());
    const proceed = (): void => dispatch(program, message, line);
    if (program.intercept === undefined) proceed();
    else program.intercept(message, proceed, line);
  });
}

function dispatch(program: Program, { id, method, params = {} }: Message, line: Buffer): void {
  if (id === undefined || method === undefined) return;
  if (method === 'initialize') answer(id, initializeResult(program, params));
  else if (method === 'ping') answer(id, {});
  else if (method === 'tools/list') answer(id, { tools: (program.tools ?? []).map(describeTool) });
  else if (method === 'tools/call') call(program, { id, params, line });
  else {
    const handle = program.requests?.[method];
    if (handle === undefined) fail(id, -32601, `unknown method: ${method}`);
    else handle({ id, params, line });
  }
}

function call({ tools = [] }: Program, request: Request): void {
  const { id, params } = request;
  const tool = tools.find(({ name }) => name === params.name);
  if (tool === undefined) fail(id, -32602, `unknown tool: ${params.name}`);
  else tool.call({ ...request, arguments: params.arguments ?? {} });
}

function initializeResult({ name, capabilities }: Program, { protocolVersion }: Params): object {
  const offered = capabilities ?? { tools: { listChanged: true } };
  return { protocolVersion, capabilities: offered, serverInfo: { name, version: '1.0.0' } };
}

/** Returns a tool's entry in `tools/list`. */
export function describeTool({ name, input = {}, extraMembers = {} }: Tool): object {
  const properties = Object.fromEntries(Object.entries(input).map(([key, type]) => [key, { type }]));
  return { name, inputSchema: { type: 'object', properties, required: Object.keys(input) }, ...extraMembers };
}
