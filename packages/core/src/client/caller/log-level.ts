/** The log levels of the MCP specification (from RFC 5424), least severe first. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** A log level of the MCP specification. */
export type ProtocolLogLevel = (typeof LEVELS)[number];

/** True if the text is a log level of the MCP specification. */
export function isProtocolLogLevel(text: string | undefined): text is ProtocolLogLevel {
  return LEVELS.some((level) => level === text);
}

/**
 * True if a message of this `level` reaches a client with this `threshold`. An unknown level or no threshold passes.
 */
export function passesThreshold(level: string | undefined, threshold: ProtocolLogLevel | undefined): boolean {
  if (threshold === undefined || !isProtocolLogLevel(level)) return true;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(threshold);
}

/**
 * Returns the level to request from a server: the least severe of the clients' levels. A client that has not set one
 * wants all messages. Returns undefined if no client has set a level; the server then chooses its own.
 */
export function lowestLevel(levels: Iterable<ProtocolLogLevel | undefined>): ProtocolLogLevel | undefined {
  const requestedLevels = new Set(levels);
  const lowest = LEVELS.find((level) => requestedLevels.has(level));
  return lowest !== undefined && requestedLevels.has(undefined) ? LEVELS[0] : lowest;
}
