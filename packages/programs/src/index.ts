export { type ProgramLimits, type ProgramOutput, programOutput } from './program-output.js';
export { findProgram } from './find-program.js';
export { systemProgram } from './system-program.js';
export { windowsGuard, type ProcessList } from './windows-guard.js';
export type { ProcessSpec } from './program-spec.js';
