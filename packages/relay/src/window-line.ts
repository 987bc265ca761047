import { isRecord, parsedJson } from '@mcpmux/kit';

/** A line from a shared process for the relay of a window, and not for the window's client. */
export type WindowLine =
  /** The first line. The process serves the window. */
  | { readonly command: 'welcome' }
  /** The first line. The process is older than the window, and makes room for a process of the window's version. */
  | { readonly command: 'older' }
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
  const said = parsedJson(line.toString());
  const { mcpmux: command, servers } = isRecord(said) ? said : {};
  switch (command) {
    case 'welcome':
    case 'older':
    case 'leave':
      return { command };
    case 'added':
      return Array.isArray(servers) ? { command, servers } : undefined;
    default:
      return undefined;
  }
}
