export { rateLimit, type RateKey, type RateLimitOptions } from './rate-limit.js';
export type { Target } from './targets.js';
