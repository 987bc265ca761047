export { findProgram } from './find-program.js';
export type { ProcessSpec } from './program-spec.js';
