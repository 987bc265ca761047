export type { Disk } from './disk.js';
export type { Probed, ProbedSystem, TryProgram } from './probe.js';
export { findRuntime, type RuntimeEngine } from './runtime-engine.js';
export {
  type SandboxComponents,
  type SandboxPlaces,
  type SandboxPrograms,
  systemSandbox,
  type SystemSandbox,
} from './system-sandbox.js';
