import type { ApprovalScope } from '@mcpmux/core/guards';

import { jsonObject } from '../base/json-object.js';

/** A request to the socket of an instance, outside MCP. */
export type ControlRequest =
  /**
   * Requests each event of the mux as a line, beginning with the stored events after the number `after`. With
   * `details`, call events include their arguments, without secrets.
   */
  | { readonly command: 'events'; readonly after?: number; readonly details?: boolean }
  | Opening
  | Challenge
  | ControlQuestion;

/** Requests a proof that the process is an instance of this user. Another first line follows. */
export interface Challenge {
  readonly command: 'prove';
  readonly nonce: string;
}

/**
 * A request that only a shared process accepts. `windows`: lists its windows. `stop`: ends the process, and its windows
 * wait. `restart-shared`: ends the process, and its windows start another one. `hand-over`: frees its socket for a
 * process of another version, to which its windows move when they have their responses.
 */
export type SharedCommand = 'windows' | 'stop' | 'restart-shared' | 'hand-over';

/** Begins an MCP session with a shared process. The messages of the session follow. */
export type Opening =
  /** @see WindowOpening */
  | WindowOpening
  /** A session of a command, which has the servers for its folder. */
  | { readonly command: 'session'; readonly cwd: string }
  /** A session of another mcpmux, which has a window's servers. */
  | { readonly command: 'beside'; readonly window: number };

/** Begins the session of a window. */
export interface WindowOpening {
  readonly command: 'window';
  readonly cwd: string;
  /** The number of shared processes that the window had before. */
  readonly epoch: number;
  readonly pid: number;
  /** The version of the relay. An older process does not serve the window. When absent, any process serves it. */
  readonly version?: string;
  /** The servers that agents have added, as the last process reported them. */
  readonly added: readonly unknown[];
}

/** The answer of a person to a call that waits for an approval. */
export interface AnsweredApproval {
  readonly id: number;
  readonly isAllowed: boolean;
  readonly scope: ApprovalScope;
}

/** A request that gets a one-line response. */
export type ControlQuestion =
  /** `calls`: returns the calls so far, by server. `clients`: returns the connected clients. */
  | { readonly command: 'reload-config' | 'calls' | 'clients' | SharedCommand }
  /** Restarts or removes a server for all clients that use it. */
  | { readonly command: 'restart' | 'remove'; readonly name: string }
  /** Answers one of the calls that wait for an approval, if there is an answer, and returns all of them. */
  | { readonly command: 'approvals'; readonly answer?: AnsweredApproval | undefined }
  /**
   * Requests a link that opens the page of the instance once. `isOpened` also requests a file that redirects a browser
   * to the link.
   */
  | { readonly command: 'page'; readonly isReadOnly: boolean; readonly isOpened: boolean };

/** Returns the first line of a connection, without its line end. It is sent in place of a JSON-RPC message. */
export function controlLine({ command, ...rest }: ControlRequest): string {
  return JSON.stringify({ mcpmux: command, ...rest });
}

/** Parses the request in a first line. Returns undefined if the line begins an MCP session. */
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
  { name, nonce, after, details, isReadOnly, isOpened, answer }: Readonly<Record<string, unknown>>,
): ControlRequest | undefined {
  switch (command) {
    case 'events':
      return {
        command,
        ...(typeof after === 'number' && { after }),
        ...(details === true && { details }),
      };
    case 'prove':
      return typeof nonce === 'string' ? { command, nonce } : undefined;
    case 'page':
      return { command, isReadOnly: isReadOnly === true, isOpened: isOpened === true };
    case 'approvals':
      return { command, answer: approvalAnswer(answer) };
    case 'restart':
    case 'remove':
      return typeof name === 'string' ? { command, name } : undefined;
    default:
      return undefined;
  }
}

function approvalAnswer(answer: unknown): AnsweredApproval | undefined {
  const { id, isAllowed, scope }: Partial<Record<keyof AnsweredApproval, unknown>> = Object(answer);
  const isScope = scope === 'once' || scope === 'session' || scope === 'always';
  return typeof id === 'number' && isScope ? { id, isAllowed: isAllowed === true, scope } : undefined;
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
