import type { ClientRequest } from 'node:http';

/** One message on its way, which can be given up at any moment: also between two attempts to send it. */
export class Sending {
  private request: ClientRequest | undefined;
  private isGivenUp = false;

  get isAborted(): boolean {
    return this.isGivenUp;
  }

  /** Its request of now. */
  begin(request: ClientRequest): void {
    this.request = request;
    if (this.isGivenUp) request.destroy();
  }

  /** Its answer has ended: nothing can be given up any more, and nothing of it is kept. */
  end(): void {
    this.request = undefined;
  }

  /** Ends the request, and the stream of its answer. */
  abort(): void {
    this.isGivenUp = true;
    this.request?.destroy();
  }
}
