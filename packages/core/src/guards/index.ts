export {
  ApprovalDesk,
  type ApprovalAnswer,
  type ApprovalDeskParts,
  type Approvals,
  type Asking,
  type ApprovalStore,
  type OpenApproval,
} from './approval-desk.js';
export type { ApprovalScope, CallToApprove, Verdict } from './approval-question.js';
export type { ApprovalRule } from './approval-rules.js';
export { approvals, type ApprovalOptions } from './approvals.js';
export { accessControl, type AccessOptions, type AccessRule } from './access-control.js';
export { callAudit, type CallAuditOptions, type CallRecord } from './call-audit.js';
export { concurrency, type ConcurrencyOptions } from './concurrency.js';
export type { GuardSetting, SettingParts, SettingZod, Shape, UnknownKeys } from './guard-setting.js';
export { guardSettings, guardsOf, type GuardSettings } from './guard-settings.js';
export type { TokenRate } from '../server/link/token-bucket.js';
export { KeyedBuckets, rateLimit, type RateLimitOptions } from './rate-limit.js';
export { resultLimit, timeLimit, type ResultLimitOptions, type TimeLimitOptions } from './limits-of-calls.js';
export { largeResults, type LargeResultsOptions } from './large-results.js';
export type { ResultFiles, StoredPart } from './results/result-store.js';
export type { ClientResultLimit, ResultHost, ResultLength } from './results/shortened-result.js';
export { resultCache, type ResultCacheOptions } from './result-cache.js';
export type { CountKey, Target } from './targets.js';
