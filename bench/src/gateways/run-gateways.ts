import type { Progress } from '../forwarding/run-forwarding.js';
import { PAYLOADS } from '../payload.js';
import { measureCalls } from './calls.js';
import {
  SERVERS_AT_START,
  type CallsOf,
  type GatewayOptions,
  type GatewayReport,
  type LeftOut,
  type Scenario,
} from './gateway-report.js';
import { serversBy, type GatewaySpec } from './gateway-spec.js';
import { Lineup } from './lineup.js';
import { measureIdle, measureWindows } from './standing.js';
import type { Behind } from './start-gateway.js';
import { measureChanges, measureStarts } from './times.js';

/** Runs the same scenarios with every gateway. */
export async function runGateways(
  options: GatewayOptions,
  notInstalled: readonly LeftOut[],
  progress: Progress,
): Promise<GatewayReport> {
  const leftOut: LeftOut[] = [...notInstalled];
  const line = (scenario: Scenario, specs: readonly GatewaySpec[], behind: Behind): Promise<Lineup> =>
    Lineup.open(specs, behind, {
      scenario,
      leftOut: (one) => {
        if (leftOut.some(({ gateway, scenario: known }) => gateway === one.gateway && known === scenario))
          return;
        progress(`failed: ${one.gateway}, ${one.scenario}: ${one.reason}`);
        leftOut.push(one);
      },
    });
  const part = async <Result>(scenario: Scenario, run: () => Promise<Result[]>): Promise<Result[]> => {
    if (!options.scenarios.includes(scenario)) return [];
    progress(`gateways: ${scenario}`);
    return run();
  };
  // those with one command behind them have no part in the scenarios of many servers
  const many = options.gateways.filter((spec) => serversBy(spec) !== 'one command');
  const { servers, starts, windows, settleMs, idleMs } = options;
  const few: Behind = { servers: SERVERS_AT_START, payload: '100b' };
  const calls = await part('calls', () => callsOf(options, line, progress));
  return {
    options,
    calls,
    starts: await part('start', () => measureStarts(starts, many, (spec) => line('start', [spec], few))),
    changes: await part('changes', async () => {
      await using lineup = await line('changes', many, few);
      return await measureChanges(starts, lineup);
    }),
    // one gateway at a time: a hundred servers
    windows: await part('windows', async () => {
      const all = [];
      for (const spec of many) {
        await using lineup = await line('windows', [spec], { servers, payload: '100b' });
        all.push(...(await measureWindows(windows, settleMs, lineup)));
      }
      return all;
    }),
    idle: await part('idle', async () => {
      await using lineup = await line('idle', many, { servers, payload: '100b' });
      return await measureIdle(settleMs, idleMs, lineup);
    }),
    leftOut,
  };
}

async function callsOf(
  options: GatewayOptions,
  line: (scenario: Scenario, specs: readonly GatewaySpec[], behind: Behind) => Promise<Lineup>,
  progress: Progress,
): Promise<CallsOf[]> {
  const all: CallsOf[] = [];
  for (const payload of options.payloads) {
    progress(`gateways: calls of ${PAYLOADS[payload].label}`);
    all.push(
      ...(await measureCalls(options, payload, (specs) => line('calls', specs, { servers: 1, payload }))),
    );
  }
  return all;
}
