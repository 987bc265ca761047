export { accessControl, type AccessOptions, type AccessRule } from './access-control.js';
export { rateLimit, type RateKey, type RateLimitOptions } from './rate-limit.js';
export type { Target } from './targets.js';
