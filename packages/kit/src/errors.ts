/** Stable codes for the errors that mcpmux throws. Programs should use the codes, because messages are for people. */
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

/** An error's details, for programs. Each member is present only if it applies to the error. */
export interface MuxErrorData {
  readonly server?: string;
  /** The names of all servers, if none has the requested name. */
  readonly servers?: readonly string[];
  /** The program that could not be started. */
  readonly command?: string;
  /** How the server failed, such as `exited`, `start-timeout`, `not-launched` or `unreachable`. */
  readonly failure?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** An excerpt of the server's stderr. */
  readonly stderr?: readonly string[];
  /** The code and data of the JSON-RPC error that the server returned. */
  readonly response?: { readonly code: number; readonly data?: unknown };
}

/** An error of mcpmux itself, which never crosses the wire: clients get a tool result or a JSON-RPC error instead. */
export class MuxError extends Error {
  override readonly name = 'MuxError';
  readonly data: MuxErrorData;

  constructor(
    readonly code: MuxErrorCode,
    message: string,
    { data = {}, ...options }: ErrorOptions & { readonly data?: MuxErrorData } = {},
  ) {
    super(message, options);
    this.data = data;
  }
}

/** Returns the message of any thrown value, even one that cannot be converted to a string. */
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
