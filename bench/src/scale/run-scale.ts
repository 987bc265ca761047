import type { Progress } from '../forwarding/run-forwarding.js';
import type { Curve } from './curve.js';
import { inFlightCurve } from './in-flight-curve.js';
import { callsCurve } from './calls-curve.js';
import { serversCurve } from './servers-curve.js';
import { toolsCurve } from './tools-curve.js';

/** The sizes of the curves, ascending. */
export interface ScaleOptions {
  readonly servers: readonly number[];
  readonly tools: readonly number[];
  readonly inFlight: readonly number[];
  readonly calls: readonly number[];
  /** How long each load goes on, in milliseconds. */
  readonly windowMs: number;
}

/** Measures all curves. */
export async function runScale(options: ScaleOptions, progress: Progress): Promise<Curve[]> {
  const { servers, tools, inFlight, calls, windowMs } = options;
  progress('scale: servers');
  const ofServers = await serversCurve(servers, windowMs);
  progress('scale: tools');
  const ofTools = await toolsCurve(tools, windowMs);
  progress('scale: calls in flight');
  const ofInFlight = await inFlightCurve(inFlight, windowMs);
  progress('scale: calls');
  return [ofServers, ofTools, ofInFlight, await callsCurve(calls)];
}
