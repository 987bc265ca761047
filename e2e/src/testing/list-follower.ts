import type { Agent } from './agents.js';

/** A client that lists the tools as soon as it is told that they have changed, as Claude Code does. */
export class ListFollower {
  /** The tools of servers that the client knows at the moment. */
  known: readonly string[] = [];

  private constructor(private readonly agent: Agent) {}

  static async of(agent: Agent): Promise<ListFollower> {
    const follower = new ListFollower(agent);
    agent.onListChanged(() => void follower.list());
    await follower.list();
    return follower;
  }

  /** Calls a tool of mcpmux. Resolves with the tools that the client knows when it reads the answer. */
  async knownAfter(tool: string, args: Record<string, unknown>): Promise<readonly string[]> {
    const { isError, text } = await this.agent.call(tool, args);
    if (isError) throw new Error(text);
    return this.known;
  }

  private async list(): Promise<void> {
    const names = (await this.agent.tools()).map(({ name }) => name);
    this.known = names.filter((name) => name.includes('__'));
  }
}
