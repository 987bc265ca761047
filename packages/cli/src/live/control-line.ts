import { jsonObject } from '../base/json-object.js';

/** What an instance is asked for over its socket beside MCP. */
export type ControlRequest =
  /** From then on each event of the mux is a line. */
  { readonly command: 'events' } | ControlQuestion;

/** What is answered by one line. */
export type ControlQuestion =
  /** `calls`: what was called so far, by server. */
  | { readonly command: 'reload-config' | 'calls' }
  /** Concerns all clients that use the server, not the one that asks alone. */
  | { readonly command: 'restart' | 'remove'; readonly name: string };

/** The line, without its end, that stands where a client of MCP would begin with a JSON-RPC message. */
export function controlLine({ command, ...rest }: ControlRequest): string {
  return JSON.stringify({ mcpmux: command, ...rest });
}

/** The request that a first line is; undefined when it begins an MCP session. */
export function controlRequest(line: string): ControlRequest | undefined {
  const { mcpmux: command, name } = jsonObject(line) ?? {};
  switch (command) {
    case 'events':
    case 'reload-config':
    case 'calls':
      return { command };
    case 'restart':
    case 'remove':
      return typeof name === 'string' ? { command, name } : undefined;
    default:
      return undefined;
  }
}
