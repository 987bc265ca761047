import { jsonObject } from '../base/json-object.js';

/** A request to the socket of an instance that is not MCP. */
export type ControlRequest =
  /**
   * Each event of the mux is sent as a line from then on, first the stored ones above the number `after`. With `details`,
   * events of calls have their arguments, without secrets.
   */
  | { readonly command: 'events'; readonly after?: number; readonly details?: boolean }
  | Opening
  | ControlQuestion;

/**
 * A request to a shared process alone: its windows; its end, after which windows wait or start another one; its socket
 * for a process of another version, to which its windows go when they have their answers.
 */
export type SharedCommand = 'windows' | 'stop' | 'restart-shared' | 'hand-over';

/** Begins an MCP session of a shared process. Its messages follow. */
export type Opening =
  /** @see WindowOpening */
  | WindowOpening
  /** A session of a command, which has the servers of its folder. */
  | { readonly command: 'session'; readonly cwd: string }
  /** A session of another mcpmux, which has the servers of a window. */
  | { readonly command: 'beside'; readonly window: number };

/** Begins the session of a window. */
export interface WindowOpening {
  readonly command: 'window';
  readonly cwd: string;
  /** How many shared processes the window had before. */
  readonly epoch: number;
  readonly pid: number;
  /** The version of the relay: an older process does not serve it. Any process does when absent. */
  readonly version?: string;
  /** The servers that agents have added, as the last process told of them. */
  readonly added: readonly unknown[];
}

/** A request that is answered by one line. */
export type ControlQuestion =
  /** `calls`: the calls so far, by server. `clients`: the connected clients. */
  | { readonly command: 'reload-config' | 'calls' | 'clients' | SharedCommand }
  /** Affects all clients that use the server. */
  | { readonly command: 'restart' | 'remove'; readonly name: string }
  /** A link that opens the page of the instance once. `isOpened`: also a file that sends a browser to the link. */
  | { readonly command: 'page'; readonly isReadOnly: boolean; readonly isOpened: boolean };

/** The first line of a connection, without its line end, in place of a JSON-RPC message. */
export function controlLine({ command, ...rest }: ControlRequest): string {
  return JSON.stringify({ mcpmux: command, ...rest });
}

/** The request in a first line; undefined when the line begins an MCP session. */
export function controlRequest(line: string): ControlRequest | undefined {
  const read = jsonObject(line) ?? {};
  const { mcpmux: command } = read;
  switch (command) {
    case 'reload-config':
    case 'calls':
    case 'clients':
    case 'windows':
    case 'stop':
    case 'restart-shared':
    case 'hand-over':
      return { command };
    case 'session':
    case 'window':
    case 'beside':
      return opening(command, read);
    default:
      return requestWithMembers(command, read);
  }
}

function requestWithMembers(
  command: unknown,
  { name, after, details, isReadOnly, isOpened }: Readonly<Record<string, unknown>>,
): ControlRequest | undefined {
  switch (command) {
    case 'events':
      return {
        command,
        ...(typeof after === 'number' && { after }),
        ...(details === true && { details }),
      };
    case 'page':
      return { command, isReadOnly: isReadOnly === true, isOpened: isOpened === true };
    case 'restart':
    case 'remove':
      return typeof name === 'string' ? { command, name } : undefined;
    default:
      return undefined;
  }
}

function opening(
  command: Opening['command'],
  { cwd, epoch, pid, version, added, window }: Readonly<Record<string, unknown>>,
): Opening | undefined {
  if (command === 'beside') return typeof window === 'number' ? { command, window } : undefined;
  if (typeof cwd !== 'string') return undefined;
  if (command === 'session') return { command, cwd };
  if (typeof epoch !== 'number' || typeof pid !== 'number') return undefined;
  const isText = typeof version === 'string';
  return { command, cwd, epoch, pid, ...(isText && { version }), added: Array.isArray(added) ? added : [] };
}
