export type { Probed } from './probe.js';
export { findRuntime, type RuntimeEngine } from './runtime-engine.js';
export {
  type SandboxPlaces,
  type SandboxPrograms,
  systemSandbox,
  type SystemSandbox,
} from './system-sandbox.js';
