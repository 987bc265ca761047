import { isRecord, parsedJson } from '@mcpmux/kit';

/**
 * A line from a shared process for a window's relay, not for its client. It is not JSON-RPC, because a server could
 * forge any JSON-RPC message, and the relay starts programs that these lines name.
 */
export type WindowLine =
  /** Another process takes over and receives all new requests. */
  | { readonly command: 'leave' }
  /** The servers that agents have added, for the next process. They may contain secrets. */
  | { readonly command: 'added'; readonly servers: readonly unknown[] };

/** Returns the line with its newline. */
export function windowLine({ command, ...rest }: WindowLine): Buffer {
  return Buffer.from(`${JSON.stringify({ mcpmux: command, ...rest })}\n`);
}

/** Returns the content of a line, or undefined for a line to the client or an unknown command. */
export function readWindowLine(line: Buffer): WindowLine | undefined {
  const read = parsedJson(line.toString());
  const { mcpmux: command, servers } = isRecord(read) ? read : {};
  if (command === 'leave') return { command };
  return command === 'added' && Array.isArray(servers) ? { command, servers } : undefined;
}
