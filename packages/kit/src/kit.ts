import type { Clock } from './clock.js';
import type { AllLimits } from './limits.js';
import type { Logger } from './logger.js';

/** The collaborators that most classes need, with the limits that a class reads. */
export interface Kit<Limit extends keyof AllLimits = keyof AllLimits> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<AllLimits, Limit>;
}
