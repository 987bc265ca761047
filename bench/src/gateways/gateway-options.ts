import type { PayloadName } from '../payload.js';
import { SCENARIOS, type GatewayOptions, type Scenario } from './gateway-report.js';
import { httpGateway, stdioGateway, type GatewaySpec } from './gateway-spec.js';
import { knownGateways } from './known-gateways.js';

/** The sizes of a comparison, without what is compared. */
export type GatewaySizes = Omit<GatewayOptions, 'gateways' | 'scenarios' | 'payloads'>;

/** The answers that gateways pass unless others are chosen. */
export const COMPARED_PAYLOADS: readonly PayloadName[] = ['100b', '10k', '1m'];

/** A whole comparison. */
export const FULL_COMPARISON: GatewaySizes = {
  inFlight: [1, 32],
  rounds: 9,
  windowMs: 300,
  starts: 9,
  windows: 10,
  servers: 10,
  settleMs: 10_000,
  idleMs: 30_000,
};

/** Everything once and short. */
export const SMOKE_COMPARISON: GatewaySizes = {
  inFlight: [1, 4],
  rounds: 1,
  windowMs: 20,
  starts: 1,
  windows: 2,
  servers: 2,
  settleMs: 100,
  idleMs: 100,
};

/** The gateways of a command line: those that each run compares with, then the others in their order. */
export function gatewaysOf(targets: readonly string[], urls: readonly string[]): readonly GatewaySpec[] {
  const all = [...knownGateways(), ...targets.map(stdioGateway), ...urls.map(httpGateway)];
  const twice = all.find(({ name }, index) => all.findIndex((one) => one.name === name) < index);
  if (twice !== undefined)
    throw new Error(`there are two gateways with the name ${JSON.stringify(twice.name)}`);
  return all;
}

/** True if the text names a part of a comparison. */
export function isScenario(name: string): name is Scenario {
  return SCENARIOS.some((scenario) => scenario === name);
}
