import { toolCall } from '../load/run-load.js';
import { measureLoad, type LoadFigures } from '../measure/measure-load.js';
import { verifyAnswers } from '../forwarding/verify.js';
import type { PayloadName } from '../payload.js';
import type { CallsOf, GatewayOptions } from './gateway-report.js';
import type { GatewaySpec } from './gateway-spec.js';
import type { Lineup, Member } from './lineup.js';

/** A gateway under load, with the processes that each call passes. */
interface Loaded {
  readonly member: Member;
  readonly tool: string;
  readonly answerBytes: number;
  readonly pids: readonly number[];
}

const WARM_UP_WINDOWS = 3;

/** Calls the tool of one server through each gateway, in turn and back, several rounds. */
export async function measureCalls(
  options: GatewayOptions,
  payload: PayloadName,
  open: (specs: readonly GatewaySpec[]) => Promise<Lineup>,
): Promise<CallsOf[]> {
  await using lineup = await open(options.gateways);
  const loaded = await lineup.each((member) => verified(member, payload));
  await inTurn(lineup, loaded, options, WARM_UP_WINDOWS);
  const samples = new Map<string, LoadFigures[]>();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [key, figures] of await inTurn(
      lineup,
      round % 2 === 0 ? loaded : loaded.toReversed(),
      options,
      1,
    ))
      samples.set(key, [...(samples.get(key) ?? []), figures]);
  }
  return loaded.flatMap(({ member: { spec } }) =>
    options.inFlight.flatMap((inFlight) => {
      const rounds = samples.get(keyOf(spec.name, inFlight)) ?? [];
      // what has failed on its way has no medians
      return rounds.length < options.rounds ? [] : [{ gateway: spec.name, payload, inFlight, rounds }];
    }),
  );
}

async function verified(member: Member, payload: PayloadName): Promise<Loaded> {
  const { client, tools } = member.running;
  const [tool = ''] = tools;
  const answerBytes = await verifyAnswers({ client, tool }, payload);
  return { member, tool, answerBytes, pids: member.running.family().gateway };
}

/** One window for each gateway and number in flight. */
async function inTurn(
  lineup: Lineup,
  all: readonly Loaded[],
  { inFlight, windowMs }: GatewayOptions,
  windows: number,
): Promise<Map<string, LoadFigures>> {
  const figures = new Map<string, LoadFigures>();
  for (const count of inFlight) {
    for (const { member, tool, answerBytes, pids } of all) {
      const plan = {
        request: toolCall(tool),
        inFlight: count,
        windowMs: windowMs * windows,
        minCalls: count,
        answerBytes,
      };
      const [pid, ...others] = pids;
      const one = await lineup.attempt(member, () => measureLoad(member.running.client, pid, plan, others));
      if (one !== undefined) figures.set(keyOf(member.spec.name, count), one);
    }
  }
  return figures;
}

function keyOf(gateway: string, inFlight: number): string {
  return `${gateway} ${inFlight}`;
}
