import type { ScannedLine } from './scanned-line.js';

/** A client's way to a target: JSON-RPC messages go out as text and come in as lines. */
export interface Connection extends AsyncDisposable {
  /** Where messages go from now on. What comes before the first call is lost. */
  listen(handler: ConnectionHandler): void;
  send(message: string): void;
}

/** The events of a connection. */
export interface ConnectionHandler {
  line(line: ScannedLine): void;
  /** Nothing more will come. */
  ended(reason: Error): void;
}

/** Drops everything: the handler of a connection before a listener is set. */
export const NOBODY: ConnectionHandler = { line: () => {}, ended: () => {} };
