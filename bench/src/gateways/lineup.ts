import type { LeftOut, Scenario } from './gateway-report.js';
import type { GatewaySpec } from './gateway-spec.js';
import { startGateway, type Behind, type RunningGateway } from './start-gateway.js';

/** A gateway that runs. */
export interface Member {
  readonly spec: GatewaySpec;
  readonly running: RunningGateway;
}

/** Gateways side by side. One that fails leaves the line, with its reason. */
export class Lineup implements AsyncDisposable {
  private readonly members = new Set<Member>();

  private constructor(
    private readonly scenario: Scenario,
    private readonly leftOut: (one: LeftOut) => void,
  ) {}

  /** Starts all of them, one after the other: a start needs a processor for itself. */
  static async open(
    specs: readonly GatewaySpec[],
    behind: Behind,
    rim: { readonly scenario: Scenario; readonly leftOut: (one: LeftOut) => void },
  ): Promise<Lineup> {
    const lineup = new Lineup(rim.scenario, rim.leftOut);
    for (const spec of specs) {
      try {
        lineup.members.add({ spec, running: await startGateway(spec, behind) });
      } catch (error) {
        lineup.fail(spec, error);
      }
    }
    return lineup;
  }

  /** The results of this work with each member that can do it. */
  async each<Result>(work: (member: Member) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (const member of this.members) {
      const result = await this.attempt(member, () => work(member));
      if (result !== undefined) results.push(result);
    }
    return results;
  }

  /** The result of this work; undefined if it fails or the member has left before. */
  async attempt<Result>(member: Member, work: () => Promise<Result>): Promise<Result | undefined> {
    if (!this.members.has(member)) return undefined;
    try {
      return await work();
    } catch (error) {
      this.members.delete(member);
      this.fail(member.spec, error);
      await member.running[Symbol.asyncDispose]();
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.members].map(({ running }) => running[Symbol.asyncDispose]()));
    this.members.clear();
  }

  private fail({ name }: GatewaySpec, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.leftOut({ gateway: name, scenario: this.scenario, reason });
  }
}
