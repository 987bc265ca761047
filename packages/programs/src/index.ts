export { findProgram } from './find-program.js';
export { windowsGuard, type ProcessList } from './windows-guard.js';
export type { ProcessSpec } from './program-spec.js';
