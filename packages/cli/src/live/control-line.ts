import { jsonObject } from '../base/json-object.js';

/** A request to the socket of an instance that is not MCP. */
export type ControlRequest =
  /** Each event of the mux is sent as a line from then on. */
  { readonly command: 'events' } | ControlQuestion;

/** A request that is answered by one line. */
export type ControlQuestion =
  /** `calls`: the calls so far, by server. */
  | { readonly command: 'reload-config' | 'calls' }
  /** Affects all clients that use the server. */
  | { readonly command: 'restart' | 'remove'; readonly name: string };

/** The first line of a connection, without its line end, in place of a JSON-RPC message. */
export function controlLine({ command, ...rest }: ControlRequest): string {
  return JSON.stringify({ mcpmux: command, ...rest });
}

/** The request in a first line; undefined when the line begins an MCP session. */
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
