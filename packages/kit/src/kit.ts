import type { Clock } from './clock.js';
import type { AllLimits } from './limits.js';
import type { Logger } from './logger.js';

/** The dependencies that most classes share. `Limit` names the limits that a class reads. */
export interface Kit<Limit extends keyof AllLimits = keyof AllLimits> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<AllLimits, Limit>;
}
