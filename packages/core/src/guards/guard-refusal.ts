import { ErrorCode } from '@mcpmux/wire';

/** A {@link GuardRefusal}'s details besides its message. */
export interface RefusalInit {
  /** The machine-readable reason, such as `rate-limited`. Sent as the error's `data.reason`. */
  readonly reason: string;
  /** True if the request itself is invalid, so that a retry cannot succeed. */
  readonly isFinal?: boolean;
  /** Additional members of the error's `data`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Thrown by a guard to refuse a request. The client receives a JSON-RPC error with the message. The reader is usually a
 * model, so the message must state the refused operation, the reason and the remedy.
 */
export class GuardRefusal extends Error {
  override readonly name = 'GuardRefusal';
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, { reason, isFinal = false, data = {} }: RefusalInit) {
    super(message);
    this.code = isFinal ? ErrorCode.InvalidParams : ErrorCode.InternalError;
    this.data = { reason, ...data };
  }
}
