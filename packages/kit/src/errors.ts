/** Stable codes of the errors that mcpmux throws. Messages are for humans, so programs should use the codes. */
export type MuxErrorCode =
  | 'INVALID_CONFIG'
  | 'INVALID_MESSAGE'
  | 'SERVER_EXISTS'
  | 'SERVER_NOT_FOUND'
  | 'INSTANCE_NOT_FOUND'
  | 'COMMAND_NOT_FOUND'
  | 'COMMAND_NOT_EXECUTABLE'
  | 'CWD_NOT_FOUND'
  | 'SPAWN_FAILED'
  | 'START_FAILED'
  | 'SERVER_REMOVED'
  | 'REFUSED'
  | 'CANCELLED'
  | 'CALL_FAILED'
  | 'CLOSED';

/**
 * An error of the multiplexer itself. A MuxError never crosses the wire, because the client gets a tool result or a
 * JSON-RPC error instead.
 */
export class MuxError extends Error {
  override readonly name = 'MuxError';

  constructor(
    readonly code: MuxErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the message of any thrown value, even of a value that cannot be converted to a string. */
export function messageOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return 'a value that is no error';
  }
}

/** Returns the code of an operating system error, such as `ENOENT`. */
export function errorCodeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}
