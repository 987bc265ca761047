import type { Agent } from './agents.js';
import type { HttpClient } from './http-clients.js';

/** What a {@link ListFollower} needs of a client. */
interface FollowedClient {
  readonly names: () => Promise<readonly string[]>;
  readonly call: (tool: string, args: Record<string, unknown>) => Promise<unknown>;
  readonly onListChanged: (listener: () => void) => void;
}

/** A client that lists the tools as soon as it is told that they have changed, as Claude Code does. */
export class ListFollower {
  /** The tools of servers that the client knows at the moment. */
  private known: readonly string[] = [];

  private constructor(private readonly client: FollowedClient) {}

  static ofAgent(agent: Agent): Promise<ListFollower> {
    return ListFollower.of({
      names: async () => (await agent.tools()).map(({ name }) => name),
      call: (tool, args) => agent.call(tool, args),
      onListChanged: (listener) => agent.onListChanged(listener),
    });
  }

  static ofHttpClient(client: HttpClient): Promise<ListFollower> {
    const onListChanged = (listener: () => void): void => {
      void client.nextListChanged().then(() => {
        onListChanged(listener);
        listener();
      });
    };
    return ListFollower.of({
      names: () => client.tools(),
      call: (tool, args) => client.call(tool, args),
      onListChanged,
    });
  }

  private static async of(client: FollowedClient): Promise<ListFollower> {
    const follower = new ListFollower(client);
    client.onListChanged(() => void follower.list());
    await follower.list();
    return follower;
  }

  /** Calls a tool of mcpmux. Resolves with the tools that the client knows when it reads the answer. */
  async knownAfter(tool: string, args: Record<string, unknown>): Promise<readonly string[]> {
    await this.client.call(tool, args);
    return this.known;
  }

  private async list(): Promise<void> {
    const names = await this.client.names();
    this.known = names.filter((name) => name.includes('__'));
  }
}
