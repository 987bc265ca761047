export { BoundedMap } from './bounded-map.js';
export { type Clock, pause, systemClock, type Timer, waitAtMost } from './clock.js';
export { cutText, cutToBytes } from './cut-text.js';
export { errorCodeOf, messageOf, MuxError, type MuxErrorCode, type MuxErrorData } from './errors.js';
export { escapeControls } from './escape-controls.js';
export { explainingLine } from './explaining-line.js';
export { type FairLimits, FairMap } from './fair-map.js';
export { afterCallback, guarded } from './host-callback.js';
export { asLogger, type HostLogger, type LevelLogger } from './host-logger.js';
export { escapeInvisible, hiddenCharacter } from './invisible-text.js';
export { isRecord, parsedJson } from './is-record.js';
export type { Kit } from './kit.js';
export { type AllLimits, DEFAULT_LIMITS, type Limits } from './limits.js';
export { type LogFields, type Logger, type LogLevel, nullLogger } from './logger.js';
export { paramsOf } from './params.js';
export { quote } from './quote.js';
export { maskArgs, type MaskedArgs } from './redact/mask-secrets.js';
export { askedUrl, redactUrl, secretsOfUrl } from './redact/redact-url.js';
export { REDACTED, Redactor } from './redact/redactor.js';
export { isSecretName } from './redact/secret-name.js';
export { REFUSAL_ADVICE } from './refusal-advice.js';
export { Semaphore } from './semaphore.js';
export { INITIALIZE, INITIALIZED, LISTEN, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from './session-methods.js';
export { NO_MASK, shownStart, type SplitText, type TextMask } from './text-mask.js';
export {
  type Block,
  contentBlocks,
  contentTexts,
  RESULT_FORMS,
  type ContentExtractor,
} from './tool-content.js';
