export { codeMode, CODE_MODE_DEFAULTS, type CodeModeOptions } from './code-mode.js';
export type { SandboxProgram, SandboxTimes } from './sandbox.js';
export type { SandboxLimits } from './sandbox-messages.js';
