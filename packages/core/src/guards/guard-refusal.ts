import { ErrorCode } from '@mcpmux/wire';

/** What a {@link GuardRefusal} says beside its message. */
export interface RefusalInit {
  /** A short word for programs, such as `rate-limited`; `data.reason` of the error. */
  readonly reason: string;
  /** True when the request itself is wrong, and would be so at any time. */
  readonly isFinal?: boolean;
  /** Further members of the error's `data`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Thrown by a guard that does not let a request through. The client gets a JSON-RPC error with the message, which is
 * mostly read by a model: it says what was refused, why, and what to do.
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
