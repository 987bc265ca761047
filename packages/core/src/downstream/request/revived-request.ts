import type { RawId } from '@mcpmux/wire';
import type { Outcome } from './client-request.js';
import type { CallOwner } from './forwarded-call.js';
import type { CancelNotification, InFlightRequest } from './in-flight-request.js';

/** What a {@link RevivedRequest} needs to know of its request. */
export interface RevivedRequestInit {
  readonly id: RawId;
  /** Carries the request out once the server has started, or has failed to. */
  readonly carryOut: () => Outcome;
  /** The answer when there is no time left for that. */
  readonly expired: () => Buffer;
}

/** A request that waits until its server has been started once more, and is carried out then. */
export class RevivedRequest implements InFlightRequest {
  private state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'carried-out'; readonly request: InFlightRequest }
    | { readonly kind: 'over' } = { kind: 'waiting' };

  constructor(
    private readonly owner: Pick<CallOwner, 'answer'>,
    private readonly init: RevivedRequestInit,
  ) {}

  /** Never rejects. */
  async waitFor(started: Promise<void>): Promise<void> {
    // However the start has ended, the server's state says how; that is for whoever carries the request out.
    await started.catch(() => undefined);
    if (this.state.kind !== 'waiting') return;
    const outcome = this.init.carryOut();
    if ('inFlight' in outcome) {
      this.state = { kind: 'carried-out', request: outcome.inFlight };
      return;
    }
    this.state = { kind: 'over' };
    this.owner.answer(this.init.id, () => outcome.answer);
  }

  cancel(notification: CancelNotification): void {
    this.end()?.cancel(notification);
  }

  abandon(): void {
    this.end()?.abandon();
  }

  expire(): Buffer {
    return this.end()?.expire() ?? this.init.expired();
  }

  private end(): InFlightRequest | undefined {
    const { state } = this;
    this.state = { kind: 'over' };
    return state.kind === 'carried-out' ? state.request : undefined;
  }
}
