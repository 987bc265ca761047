import type { ClientRequest } from 'node:http';

/** A message that is being sent. It can be aborted at any time, even between two attempts. */
export class Sending {
  private request: ClientRequest | undefined;
  private isGivenUp = false;

  get isAborted(): boolean {
    return this.isGivenUp;
  }

  /** Sets the message's current request. */
  setRequest(request: ClientRequest): void {
    this.request = request;
    if (this.isGivenUp) request.destroy();
  }

  /** Must be called when the response has ended. From then on, the request can no longer be aborted. */
  releaseRequest(): void {
    this.request = undefined;
  }

  /** Aborts the request and its response stream. */
  abort(): void {
    this.isGivenUp = true;
    this.request?.destroy();
  }
}
