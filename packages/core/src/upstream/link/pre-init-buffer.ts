import { ErrorCode, type RpcError } from '@mcpmux/wire';

/** Notifications kept of a server that speaks before it is initialized; the rest is lost. */
const MAX_EARLY_MESSAGES = 64;

/** The answer to a request of a server that is not initialized. */
export const TOO_EARLY: RpcError = {
  code: ErrorCode.InvalidRequest,
  message: 'a server asks for nothing but ping before it is initialized',
};

/** What a server says before it is initialized, to be told when it is. */
export class PreInitBuffer {
  /** Set once the server is initialized: what it says from then on is told at once. */
  isOver = false;
  private readonly kept: (() => void)[] = [];

  tell(message: () => void): void {
    if (this.isOver) message();
    else if (this.kept.length < MAX_EARLY_MESSAGES) this.kept.push(message);
  }

  /** The server is initialized. */
  release(): void {
    this.isOver = true;
    for (const message of this.kept.splice(0)) message();
  }
}
