import type { ForwardingReport } from '../forwarding/cell.js';
import { runForwarding, type Progress } from '../forwarding/run-forwarding.js';
import { median } from '../measure/statistics.js';
import { WindowFleet, type FleetSize } from './window-fleet.js';

/** How many windows, and how often they are called and started. */
export interface SharedLoadOptions {
  readonly rounds: number;
  readonly windowMs: number;
  readonly windows: number;
  readonly servers: number;
  /** How many windows are opened to see how long that takes. */
  readonly starts: number;
}

/** The same of windows with and without `--shared`. */
export interface WithAndWithout<Value> {
  readonly shared: Value;
  readonly unshared: Value;
}

/** The costs and savings of one process for all windows. */
export interface SharedReport extends SharedLoadOptions {
  /** Calls through a window: 100 bytes, 32 in flight. */
  readonly calls: ForwardingReport;
  readonly fleet: WithAndWithout<FleetSize>;
  /** From the start of a window to its answer to `initialize`, in milliseconds: medians. */
  readonly initializeMs: WithAndWithout<number>;
}

const TARGETS = ['byte-pipe', 'mcpmux', 'shared', 'bare-relay', 'two-byte-pipes'] as const;
const PAYLOAD = '100b';
const IN_FLIGHT = 32;

/** Calls a server through a window, and opens windows with and without `--shared`. */
export async function runShared(options: SharedLoadOptions, progress: Progress): Promise<SharedReport> {
  const { rounds, windowMs, windows, servers, starts } = options;
  const calls = await runForwarding(
    {
      targets: TARGETS,
      payloads: [PAYLOAD],
      inFlight: [IN_FLIGHT],
      rounds,
      window: { windowMs, minCallsPerPlace: 1 },
      idFirst: false,
    },
    progress,
  );
  const [shared, unshared] = [
    await fleetSize(windows, servers, true),
    await fleetSize(windows, servers, false),
  ];
  return { ...options, calls, fleet: { shared, unshared }, initializeMs: await openings(starts) };
}

async function fleetSize(windows: number, servers: number, isShared: boolean): Promise<FleetSize> {
  await using fleet = await WindowFleet.make(servers, isShared);
  for (let window = 0; window < windows; window += 1) await fleet.open();
  // Awaited here: the windows go with the scope.
  return await fleet.size();
}

/** Opens windows in turn. The shared process runs already. */
async function openings(starts: number): Promise<WithAndWithout<number>> {
  await using shared = await WindowFleet.make(0, true);
  await using unshared = await WindowFleet.make(0, false);
  await shared.open();
  const times: WithAndWithout<number[]> = { shared: [], unshared: [] };
  for (let start = 0; start < starts; start += 1) {
    times.shared.push(await shared.open());
    await shared.closeLast();
    times.unshared.push(await unshared.open());
    await unshared.closeLast();
  }
  return { shared: median(times.shared), unshared: median(times.unshared) };
}
