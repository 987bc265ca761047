export { describeSandbox } from './describe.js';
export type { Confined, Sandbox, SandboxedProgram } from './sandbox.js';
export {
  domainsOf,
  networkReach,
  type DomainSettings,
  type FileSettings,
  type NetworkReach,
  type SandboxSettings,
} from './settings.js';
export { absolute, isWithin, widening, type Permitted, type Requested } from './widening.js';
