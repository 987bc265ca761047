import type { LoadFigures } from '../measure/measure-load.js';
import type { PayloadName } from '../payload.js';
import type { GatewaySpec } from './gateway-spec.js';

/** The parts of a comparison. */
export type Scenario = 'calls' | 'start' | 'changes' | 'windows' | 'idle';

/** All of them, in the order they run. */
export const SCENARIOS: readonly Scenario[] = ['calls', 'start', 'changes', 'windows', 'idle'];

/** The choices of a comparison. */
export interface GatewayOptions {
  readonly gateways: readonly GatewaySpec[];
  readonly scenarios: readonly Scenario[];
  readonly payloads: readonly PayloadName[];
  readonly inFlight: readonly number[];
  /** Of calls. */
  readonly rounds: number;
  readonly windowMs: number;
  /** How often each gateway is started with {@link SERVERS_AT_START} servers, and how often each change is made. */
  readonly starts: number;
  readonly windows: number;
  /** Behind each window, and behind an idle gateway. */
  readonly servers: number;
  readonly settleMs: number;
  readonly idleMs: number;
}

/** The servers of a start. */
export const SERVERS_AT_START = 3;

/** The loads of one gateway, a figure for each round. */
export interface CallsOf {
  readonly gateway: string;
  readonly payload: PayloadName;
  readonly inFlight: number;
  readonly rounds: readonly LoadFigures[];
}

/** Medians in milliseconds; null where the gateway cannot do it. */
export interface TimesOf {
  readonly gateway: string;
  readonly startMs: number | null;
  readonly addMs: number | null;
  readonly reloadMs: number | null;
}

/** Many windows at once. */
export interface WindowsOf {
  readonly gateway: string;
  readonly processes: number;
  readonly serverProcesses: number;
  /** Of the gateway alone, and with its servers: memory that processes share counts once. */
  readonly gatewayBytes: number;
  readonly allBytes: number;
}

/** A gateway that no client calls. */
export interface IdleOf {
  readonly gateway: string;
  readonly wakeUpsPerSecond: number;
  /** Of one processor. */
  readonly cpuShare: number;
}

/** A gateway that could not be measured in a scenario, and why. */
export interface LeftOut {
  readonly gateway: string;
  readonly scenario: Scenario | 'install';
  readonly reason: string;
}

/** The results of a comparison. */
export interface GatewayReport {
  readonly options: GatewayOptions;
  readonly calls: readonly CallsOf[];
  readonly starts: readonly Pick<TimesOf, 'gateway' | 'startMs'>[];
  readonly changes: readonly Pick<TimesOf, 'gateway' | 'addMs' | 'reloadMs'>[];
  readonly windows: readonly WindowsOf[];
  readonly idle: readonly IdleOf[];
  readonly leftOut: readonly LeftOut[];
}
