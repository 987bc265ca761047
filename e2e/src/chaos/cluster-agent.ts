import { fixtureCommand } from '@mcpmux/test-servers';
import type { SeededRandom } from '@mcpmux/testing/seeded-random';

import type { HttpCli } from '../testing/http-cli.js';
import { callOwnTool } from './own-tool.js';

/** What the cluster may have of a server: an agent that got no clear answer does not know. */
export type Presence = 'there' | 'absent' | 'unknown';

/** One change to the registry, and how it was answered. */
export interface Change {
  readonly server: string;
  readonly kind: 'add' | 'remove';
  readonly outcome: 'done' | 'refused' | 'lost';
  readonly detail: string;
}

/** The dependencies of a {@link ClusterAgent}. */
export interface ClusterAgentParts {
  readonly name: string;
  readonly random: SeededRandom;
  /** The nodes that may be asked now. */
  readonly reachable: () => readonly HttpCli[];
}

/** The servers of one agent. */
const SERVERS = 2;

/** Adds servers to a cluster and removes them, over any node, through all faults. No other agent changes these servers. */
export class ClusterAgent {
  readonly changes: Change[] = [];
  /** What the cluster has if it has done what it has answered. */
  readonly presence: Map<string, Presence>;

  constructor(private readonly parts: ClusterAgentParts) {
    const names = Array.from({ length: SERVERS }, (_, index) => `${parts.name}-${index}`);
    this.presence = new Map(names.map((name) => [name, 'absent']));
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const nodes = this.parts.reachable();
      if (nodes.length > 0) await this.change(this.parts.random.pick(nodes));
      await new Promise((resolve) => setTimeout(resolve, 100 + this.parts.random.integerBelow(300)));
    }
  }

  /** Removes its servers over a node. Resolves with the reasons why some may be left. */
  async leave(node: HttpCli): Promise<readonly string[]> {
    const left: string[] = [];
    for (const server of this.presence.keys()) {
      const { outcome, detail } = await this.remove(node, server, false);
      if (outcome === 'done') this.presence.set(server, 'absent');
      else left.push(`${server} is not removed: ${detail}`);
    }
    return left;
  }

  private async change(node: HttpCli): Promise<void> {
    const { random } = this.parts;
    const [server, presence] = random.pick([...this.presence]);
    const isAdding = presence === 'absent' || (presence === 'unknown' && random.integerBelow(2) === 0);
    const isKnown = presence !== 'unknown';
    const change = isAdding
      ? await this.add(node, server, isKnown)
      : await this.remove(node, server, isKnown);
    this.changes.push(change);
    const done = isAdding ? 'there' : 'absent';
    this.presence.set(server, change.outcome === 'done' ? done : 'unknown');
  }

  private async add(node: HttpCli, server: string, isKnown: boolean): Promise<Change> {
    const args = { name: server, ...fixtureCommand('echo'), persist: true };
    const change = await ask(node, { server, kind: 'add' }, args, 'persisted');
    // A change that was not answered was made.
    if (!isKnown && IS_THERE.test(change.detail)) return { ...change, outcome: 'done' };
    // The node has it for itself, and would go on so.
    if (change.outcome === 'refused')
      await callOwnTool(node, 'remove_server', { name: server }).catch(String);
    return change;
  }

  private async remove(node: HttpCli, server: string, isKnown: boolean): Promise<Change> {
    const change = await ask(node, { server, kind: 'remove' }, { name: server }, 'removed');
    return !isKnown && IS_ABSENT.test(change.detail) ? { ...change, outcome: 'done' } : change;
  }
}

const IS_THERE = /exists already/;
const IS_ABSENT = /There is no server named/;

/** @param flag the member of the result that is true if the change was made */
async function ask(
  node: HttpCli,
  { server, kind }: Pick<Change, 'server' | 'kind'>,
  args: object,
  flag: string,
): Promise<Change> {
  try {
    const { text, structured } = await callOwnTool(node, `${kind}_server`, args);
    const isDone = structured?.[flag] === true;
    return { server, kind, outcome: isDone ? 'done' : 'refused', detail: text };
  } catch (error) {
    return { server, kind, outcome: 'lost', detail: String(error) };
  }
}
