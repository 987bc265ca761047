import { messageOf } from '@mcpmux/core';
import { ProcessUsage } from '@mcpmux/dashboard';

import type { Announcement } from '../live/announcement.js';
import { askInstance } from '../live/ask-instance.js';
import { FollowedEvents } from '../live/followed-events.js';
import { statesOf } from '../live/server-state.js';
import type { McpConnection } from '../live/mcp-connection.js';
import { readPastItems, type LogItem } from '../live/server-log.js';
import { actionOf } from './event-actions.js';
import { INITIAL_STATE, nextState, type TopAction, type TopState } from './top-state.js';

/** The number of past log lines to read per server. */
const PAST_LINES_PER_SERVER = 200;

/** The state that `mcpmux top` displays, updated from a running mcpmux. */
export class TopSession implements Disposable {
  state: TopState = INITIAL_STATE;
  /** Resolves when the connected mcpmux has ended. */
  readonly ended: Promise<void>;

  private readonly processUsage = new ProcessUsage(Date.now);

  private constructor(
    private readonly instance: Announcement,
    private readonly connection: McpConnection,
    private readonly events: FollowedEvents,
    private readonly onChange: () => void,
  ) {
    this.ended = this.followEvents();
  }

  /** Starts to follow the events, and reads the current state and past log lines. */
  static async open(
    instance: Announcement,
    connection: McpConnection,
    onChange: () => void,
  ): Promise<TopSession> {
    // The subscription starts before past log lines are read, so that no event in between is lost.
    const events = await FollowedEvents.open(instance, { details: true });
    const session = new TopSession(instance, connection, events, onChange);
    await session.refresh();
    await session.readPastLogs();
    return session;
  }

  applyAction(action: TopAction): void {
    this.state = nextState(this.state, action);
    this.onChange();
  }

  /** Updates the servers' states, calls and resource usage, and the list of clients. */
  async refresh(): Promise<void> {
    const { connection, instance } = this;
    const [servers, summaries, { clients: allClients }] = await Promise.all([
      statesOf(connection),
      askInstance(instance, 'calls', {}),
      askInstance(instance, 'clients', {}),
    ]);
    // Skips mcpmux commands, such as `mcpmux top` itself, which connect without a client name.
    const clients = allClients.filter(({ client }) => client !== undefined);
    const usageByPid = await this.processUsage.of(servers.flatMap(({ pid }) => pid ?? []));
    this.applyAction({ type: 'servers', servers, summaries, usageByPid, clients });
  }

  /** Restarts or removes the selected server, and shows the result. */
  async manageSelected(command: 'restart' | 'remove'): Promise<void> {
    const { selectedName: name } = this.state;
    if (name === undefined) return;
    const [running, finished] = command === 'restart' ? ['Restarting', 'Restarted'] : ['Removing', 'Removed'];
    this.applyAction({ type: 'message', text: `${running} ${name} …` });
    try {
      await askInstance(this.instance, command, { name });
      this.applyAction({ type: 'message', text: `${finished} ${name}.` });
    } catch (error) {
      const [problem = ''] = messageOf(error).split('\n', 1);
      this.applyAction({ type: 'message', text: problem });
    }
    await this.refresh();
  }

  [Symbol.dispose](): void {
    this.events[Symbol.dispose]();
    this.connection.close();
  }

  private async followEvents(): Promise<void> {
    for await (const event of this.events) {
      const action = actionOf(event);
      if (action !== undefined) this.applyAction(action);
    }
  }

  private async readPastLogs(): Promise<void> {
    const items: LogItem[] = [];
    for (const { name } of this.state.servers)
      items.push(...(await readPastItems(this.connection, name, PAST_LINES_PER_SERVER)));
    this.applyAction({ type: 'log', items: items.toSorted((a, b) => a.time - b.time) });
  }
}
