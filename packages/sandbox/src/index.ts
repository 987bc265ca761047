export type { Access, ClientPolicy } from './client-policy.js';
export { describeSandbox } from './describe.js';
export { FollowedSandbox, type CallSandbox } from './followed-sandbox.js';
export { requestedSandbox, type GrantedSandbox, type SandboxRequest } from './requested-sandbox.js';
export type { Confined, Sandbox, SandboxedProgram } from './sandbox.js';
export {
  domainsOf,
  networkReach,
  type DomainSettings,
  type FileSettings,
  type NetworkReach,
  type SandboxSettings,
} from './settings.js';
export { isSandboxSettings, settingsProblem } from './settings-problem.js';
export type { Permitted } from './widening.js';
