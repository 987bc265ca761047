/** The severities of log messages, least severe first (RFC 5424, with the names of the specification). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** One of the severities in the specification. */
export type ProtocolLogLevel = (typeof LEVELS)[number];

/** True if the text is one of the severities in the specification. */
export function isProtocolLogLevel(text: string | undefined): text is ProtocolLogLevel {
  return LEVELS.some((level) => level === text);
}

/** True if a client with this `threshold` gets a message of `level`. A client without a threshold gets all messages. */
export function passesThreshold(level: string | undefined, threshold: ProtocolLogLevel | undefined): boolean {
  if (threshold === undefined || !isProtocolLogLevel(level)) return true;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(threshold);
}

/**
 * Returns the least severe level that any client has set, so that every client gets the messages it wants. A client
 * that has set no level wants all messages. Returns undefined if none has set one; each server then chooses its own.
 */
export function lowestLevel(levels: Iterable<ProtocolLogLevel | undefined>): ProtocolLogLevel | undefined {
  const requestedLevels = new Set(levels);
  const lowest = LEVELS.find((level) => requestedLevels.has(level));
  return lowest !== undefined && requestedLevels.has(undefined) ? LEVELS[0] : lowest;
}
