import { isRecord, parsedJson } from '@mcpmux/kit';

/**
 * A line from a shared process to a window's relay rather than to its client. It is not JSON-RPC: a server could forge
 * any JSON-RPC message, and the relay starts programs that these lines name.
 */
export type WindowLine =
  /** Another process takes over and will receive all new requests. */
  | { readonly command: 'leave' }
  /** The servers that agents have added, to pass on to the next process. They may contain secrets. */
  | { readonly command: 'added'; readonly servers: readonly unknown[] };

/** Returns the line with its newline. */
export function windowLine({ command, ...rest }: WindowLine): Buffer {
  return Buffer.from(`${JSON.stringify({ mcpmux: command, ...rest })}\n`);
}

/** Returns a line's content. Returns undefined if the line is for the client or contains an unknown command. */
export function readWindowLine(line: Buffer): WindowLine | undefined {
  const read = parsedJson(line.toString());
  const { mcpmux: command, servers } = isRecord(read) ? read : {};
  if (command === 'leave') return { command };
  return command === 'added' && Array.isArray(servers) ? { command, servers } : undefined;
}
