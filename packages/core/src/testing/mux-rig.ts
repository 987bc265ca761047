import process from 'node:process';

import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';

import { createMux, type Mux, type MuxComponents, type MuxOptions, type ServerStatus } from '../index.js';
import { MuxClient } from './mux-client.js';
import { RecordingLogger } from './recording-logger.js';

const GONE_DEADLINE_MS = 10_000;

/** A mux with one client, and the lifeline of all processes of its servers. */
export class MuxRig implements AsyncDisposable {
  private constructor(
    readonly mux: Mux,
    readonly client: MuxClient,
    readonly lifeline: Lifeline,
    readonly logger: RecordingLogger,
  ) {}

  /** @param environment - merged over that of the test and given to every server */
  static async open(
    options: MuxOptions = {},
    environment: Readonly<Record<string, string>> = {},
    components: Pick<MuxComponents, 'clock' | 'commandValue' | 'logins' | 'limits' | 'sandbox'> = {},
  ): Promise<MuxRig> {
    const lifeline = await Lifeline.open();
    const logger = new RecordingLogger();
    const mux = createMux(options, {
      ...components,
      logger,
      environment: { ...process.env, ...environment, LIFELINE: lifeline.address },
    });
    return new MuxRig(mux, await MuxClient.initialized(mux), lifeline, logger);
  }

  /** Adds a fixture through the library. */
  add(name: string, fixture: FixtureName): Promise<ServerStatus> {
    return this.mux.addServer(name, fixtureCommand(fixture));
  }

  /** The status of a server that is registered. */
  status(name: string): ServerStatus {
    const status = this.mux.listServers().find((server) => server.name === name);
    if (status === undefined) throw new Error(`no server ${name}`);
    return status;
  }

  /** The process id of a server that runs. */
  pid(name: string): number {
    const { pid } = this.status(name);
    if (pid === undefined || pid === null) throw new Error(`no process of ${name} runs`);
    return pid;
  }

  /** Resolves when the server has reached this status. */
  async reached(name: string, status: ServerStatus['status']): Promise<void> {
    if (this.status(name).status === status) return;
    await new Promise<void>((resolve) => {
      const off = this.mux.on('server:state', (event) => {
        if (event.server !== name || event.status !== status) return;
        off();
        resolve();
      });
    });
  }

  /** Resolves when the lists have changed so that the server has this tool. */
  async listed(name: string, tool: string): Promise<void> {
    const isListed = (): boolean => this.status(name).tools.includes(tool);
    if (isListed()) return;
    await new Promise<void>((resolve) => {
      const off = this.mux.on('catalog:changed', () => {
        if (!isListed()) return;
        off();
        resolve();
      });
    });
  }

  /** Resolves when no process is left. */
  allGone(): Promise<void> {
    return this.lifeline.waitForAllGone(GONE_DEADLINE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mux.close();
    await this.lifeline[Symbol.asyncDispose]();
  }
}

/** The text of the first block of a tool result. */
export function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content[0]?.text ?? '';
}
