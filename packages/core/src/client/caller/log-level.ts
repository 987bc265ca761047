/** Severities of log messages, least severe first (RFC 5424, as the specification has them). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** One of the severities of the specification. */
export type ProtocolLogLevel = (typeof LEVELS)[number];

/** True for one of the severities of the specification. */
export function isProtocolLogLevel(text: string | undefined): text is ProtocolLogLevel {
  return LEVELS.some((level) => level === text);
}

/** True if a client with this `threshold` gets a message of `level`. A client without a threshold gets all messages. */
export function passes(level: string | undefined, threshold: ProtocolLogLevel | undefined): boolean {
  if (threshold === undefined || !isProtocolLogLevel(level)) return true;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(threshold);
}

/**
 * The least severe of what clients want, so that each can be given what it asked for. A client that never asked wants all,
 * unless nobody has: then each server is left to itself.
 */
export function lowestLevel(levels: Iterable<ProtocolLogLevel | undefined>): ProtocolLogLevel | undefined {
  const asked = new Set(levels);
  const lowest = LEVELS.find((level) => asked.has(level));
  return lowest !== undefined && asked.has(undefined) ? LEVELS[0] : lowest;
}
