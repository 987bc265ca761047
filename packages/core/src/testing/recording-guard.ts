import { nullLogger } from '@mcpmux/kit';
import { ProcessGuard } from '../process/guard.js';

/** A guard that keeps account of what it is told, and guards nothing. */
export class RecordingGuard extends ProcessGuard {
  readonly registered: number[] = [];
  readonly released: number[] = [];

  constructor() {
    super('instance', nullLogger, 'none');
  }

  override register(pgid: number): void {
    this.registered.push(pgid);
  }

  override unregister(pgid: number): void {
    this.released.push(pgid);
  }
}
