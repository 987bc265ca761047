import { isRecord, parsedJson } from '@mcpmux/kit';

/**
 * A line from a shared process for the relay of a window, and not for the window's client. It is not JSON-RPC, because
 * any message of JSON-RPC could come from a server too, and the relay starts programs that these lines name.
 */
export type WindowLine =
  /** Another process takes over, and receives all new requests. */
  | { readonly command: 'leave' }
  /** The servers that agents have added, for the next process. They contain secrets. */
  | { readonly command: 'added'; readonly servers: readonly unknown[] };

/** Returns the line, with its line end. */
export function windowLine({ command, ...rest }: WindowLine): Buffer {
  return Buffer.from(`${JSON.stringify({ mcpmux: command, ...rest })}\n`);
}

/**
 * Returns the content of a line. Undefined for a line to the client, and for a line that this version does not know.
 */
export function readWindowLine(line: Buffer): WindowLine | undefined {
  const read = parsedJson(line.toString());
  const { mcpmux: command, servers } = isRecord(read) ? read : {};
  if (command === 'leave') return { command };
  return command === 'added' && Array.isArray(servers) ? { command, servers } : undefined;
}
