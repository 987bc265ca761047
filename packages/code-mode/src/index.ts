export { codeMode, CODE_MODE_DEFAULTS, type CodeModeOptions } from './code-mode.js';
export { declarationsOf } from './declarations.js';
export type { SandboxTimes } from './sandbox.js';
export type { SandboxProgram } from './sandbox-threads.js';
export type { SandboxLimits } from './sandbox-messages.js';
