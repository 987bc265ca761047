import { messageOf } from '@mcpmux/core';
import { ProcessUsage } from '@mcpmux/dashboard';

import type { Announcement } from '../live/announcement.js';
import { askInstance } from '../live/ask-instance.js';
import { FollowedEvents } from '../live/followed-events.js';
import { statesOf } from '../live/server-state.js';
import type { McpConnection } from '../live/mcp-connection.js';
import { pastOf, type LogItem } from '../live/server-log.js';
import { actionOf } from './event-actions.js';
import { EMPTY, nextState, type TopAction, type TopState } from './top-state.js';

/** The number of past log lines per server that are read. */
const PAST_LINES = 200;

/** The state of a running mcpmux for `mcpmux top`, kept current by its events. */
export class TopSession implements Disposable {
  state: TopState = EMPTY;
  /** Resolves when the mcpmux has ended. */
  readonly ended: Promise<void>;

  private readonly usage = new ProcessUsage(Date.now);

  private constructor(
    private readonly instance: Announcement,
    private readonly connection: McpConnection,
    private readonly events: FollowedEvents,
    private readonly onChange: () => void,
  ) {
    this.ended = this.follow();
  }

  /** Reads the past, and follows the events. */
  static async open(
    instance: Announcement,
    connection: McpConnection,
    onChange: () => void,
  ): Promise<TopSession> {
    // Subscribes before it reads the past, so that no event between the two is lost.
    const events = await FollowedEvents.open(instance, { details: true });
    const session = new TopSession(instance, connection, events, onChange);
    await session.refresh();
    await session.readPast();
    return session;
  }

  apply(action: TopAction): void {
    this.state = nextState(this.state, action);
    this.onChange();
  }

  /** Reads the states of the servers. */
  async refresh(): Promise<void> {
    const { connection, instance } = this;
    const [servers, summaries, { clients: all }] = await Promise.all([
      statesOf(connection),
      askInstance(instance, 'calls', {}),
      askInstance(instance, 'clients', {}),
    ]);
    // Commands do not send a name.
    const clients = all.filter(({ client }) => client !== undefined);
    const usages = await this.usage.of(servers.flatMap(({ pid }) => pid ?? []));
    this.apply({ type: 'servers', servers, summaries, usages, clients });
  }

  /** Restarts or removes the chosen server, and shows the result. */
  async manage(command: 'restart' | 'remove'): Promise<void> {
    const { chosen: name } = this.state;
    if (name === undefined) return;
    const [doing, done] = command === 'restart' ? ['Restarting', 'Restarted'] : ['Removing', 'Removed'];
    this.apply({ type: 'message', text: `${doing} ${name} …` });
    try {
      await askInstance(this.instance, command, { name });
      this.apply({ type: 'message', text: `${done} ${name}.` });
    } catch (error) {
      const [problem = ''] = messageOf(error).split('\n', 1);
      this.apply({ type: 'message', text: problem });
    }
    await this.refresh();
  }

  [Symbol.dispose](): void {
    this.events[Symbol.dispose]();
    this.connection.close();
  }

  private async follow(): Promise<void> {
    for await (const event of this.events) {
      const action = actionOf(event);
      if (action !== undefined) this.apply(action);
    }
  }

  private async readPast(): Promise<void> {
    const items: LogItem[] = [];
    for (const { name } of this.state.servers)
      items.push(...(await pastOf(this.connection, name, PAST_LINES)));
    this.apply({ type: 'log', items: items.toSorted((a, b) => a.time - b.time) });
  }
}
