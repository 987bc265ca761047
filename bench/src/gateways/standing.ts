import type { IdleOf, WindowsOf } from './gateway-report.js';
import type { Lineup } from './lineup.js';
import { cpuOf, memoryOf, wakeUpsOf } from './process-family.js';

const MICROS_PER_MS = 1000;

/** Opens further windows of each gateway of a line and measures the memory of all of them. */
export function measureWindows(windows: number, settleMs: number, lineup: Lineup): Promise<WindowsOf[]> {
  return lineup.each(async ({ spec, running }) => {
    for (let window = 1; window < windows; window += 1) await running.window();
    await pause(settleMs);
    const { gateway, servers } = running.family();
    const gatewayBytes = memoryOf(gateway);
    return {
      gateway: spec.name,
      processes: gateway.length,
      serverProcesses: servers.length,
      gatewayBytes,
      allBytes: gatewayBytes + memoryOf(servers),
    };
  });
}

/** Watches the gateways of a line together: none of them is called. */
export async function measureIdle(settleMs: number, idleMs: number, lineup: Lineup): Promise<IdleOf[]> {
  await pause(settleMs);
  const before = await lineup.each(({ spec, running }) => {
    const { gateway } = running.family();
    return Promise.resolve({
      spec,
      gateway,
      wakeUps: wakeUpsOf(gateway),
      cpu: cpuOf(gateway),
      at: performance.now(),
    });
  });
  await pause(idleMs);
  return before.map(({ spec, gateway, wakeUps, cpu, at }) => {
    const wakeUpsMeanwhile = wakeUpsOf(gateway) - wakeUps;
    const cpuMeanwhile = cpuOf(gateway) - cpu;
    const ms = performance.now() - at;
    return {
      gateway: spec.name,
      wakeUpsPerSecond: (wakeUpsMeanwhile / ms) * 1000,
      cpuShare: cpuMeanwhile / (ms * MICROS_PER_MS),
    };
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
