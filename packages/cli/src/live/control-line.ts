import { jsonObject } from '../base/json-object.js';

/** A request to the socket of an instance that is not MCP. */
export type ControlRequest =
  /** Each event of the mux is sent as a line from then on, first the stored ones above the number `after`. */
  { readonly command: 'events'; readonly after?: number } | Opening | ControlQuestion;

/** A request to a shared process alone: its windows; its end, after which windows wait or start another one. */
export type SharedCommand = 'windows' | 'stop' | 'restart-shared';

/** Begins an MCP session of a shared process. Its messages follow. */
export type Opening =
  /** @see WindowOpening */
  | WindowOpening
  /** A session of a command, which has the servers of its folder. */
  | { readonly command: 'session'; readonly cwd: string };

/** Begins the session of a window. */
export interface WindowOpening {
  readonly command: 'window';
  readonly cwd: string;
  /** How many shared processes the window had before. */
  readonly epoch: number;
  readonly pid: number;
}

/** A request that is answered by one line. */
export type ControlQuestion =
  /** `calls`: the calls so far, by server. */
  | { readonly command: 'reload-config' | 'calls' | SharedCommand }
  /** Affects all clients that use the server. */
  | { readonly command: 'restart' | 'remove'; readonly name: string }
  /** A link that opens the page of the instance once. */
  | { readonly command: 'page'; readonly isReadOnly: boolean };

/** The first line of a connection, without its line end, in place of a JSON-RPC message. */
export function controlLine({ command, ...rest }: ControlRequest): string {
  return JSON.stringify({ mcpmux: command, ...rest });
}

/** The request in a first line; undefined when the line begins an MCP session. */
export function controlRequest(line: string): ControlRequest | undefined {
  const read = jsonObject(line) ?? {};
  const { mcpmux: command, name, after } = read;
  switch (command) {
    case 'events':
      return { command, ...(typeof after === 'number' && { after }) };
    case 'reload-config':
    case 'calls':
    case 'windows':
    case 'stop':
    case 'restart-shared':
      return { command };
    case 'page':
      return { command, isReadOnly: read['isReadOnly'] === true };
    case 'session':
    case 'window':
      return opening(command, read);
    case 'restart':
    case 'remove':
      return typeof name === 'string' ? { command, name } : undefined;
    default:
      return undefined;
  }
}

function opening(
  command: Opening['command'],
  { cwd, epoch, pid }: Readonly<Record<string, unknown>>,
): Opening | undefined {
  if (typeof cwd !== 'string') return undefined;
  if (command === 'session') return { command, cwd };
  const isWhole = typeof epoch === 'number' && typeof pid === 'number';
  return isWhole ? { command, cwd, epoch, pid } : undefined;
}
