export { type Probed, probe, thisSystem } from './probe.js';
export { findRuntime } from './runtime-engine.js';
export {
  makePrivateFolder,
  type SandboxComponents,
  type SandboxPlaces,
  SystemSandbox,
  thisDisk,
} from './system-sandbox.js';
