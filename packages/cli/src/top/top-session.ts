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

/** The number of past log lines to read for each server. */
const PAST_LINES_PER_SERVER = 200;

/** The state of a running mcpmux for `mcpmux top`, updated by its events. */
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

  /** Reads past log lines and follows the events. */
  static async open(
    instance: Announcement,
    connection: McpConnection,
    onChange: () => void,
  ): Promise<TopSession> {
    // Subscribes before past log lines are read, so that no event in between is lost.
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

  /** Reads the states, calls and resource usage of the servers, and the clients. */
  async refresh(): Promise<void> {
    const { connection, instance } = this;
    const [servers, summaries, { clients: allClients }] = await Promise.all([
      statesOf(connection),
      askInstance(instance, 'calls', {}),
      askInstance(instance, 'clients', {}),
    ]);
    // Clients without a name are commands.
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
