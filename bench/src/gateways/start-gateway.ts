import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { guarded } from '../guarded.js';
import { echoServer } from '../forwarding/lineup.js';
import type { Connection } from '../load/connection.js';
import { RawClient } from '../load/raw-client.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { StreamableHttpConnection } from '../load/streamable-http-connection.js';
import { benchEnvironment, ManagedProcess, stoppedBySignal, type CommandLine } from '../managed-process.js';
import type { PayloadName } from '../payload.js';
import { accepts, freePort, untilReady } from '../targets/http-peer.js';
import { filled, serversBy, type GatewaySpec } from './gateway-spec.js';
import { listedTools, serverName } from './listed-tools.js';
import { familyOf, MARK, type Family } from './process-family.js';
import { writeServers } from './server-files.js';

/** The servers of a gateway, and their answers. */
export interface Behind {
  readonly servers: number;
  readonly payload: PayloadName;
}

/** A started gateway that has listed the tool of each server. */
export interface RunningGateway extends AsyncDisposable {
  readonly client: RawClient;
  /** The names that the echo tools have here. */
  readonly tools: readonly string[];
  /** From its start to the first list with the tools of all servers. */
  readonly listedMs: number;
  /** The command of one more server. */
  readonly server: CommandLine;
  family(): Family;
  /** One more client of the same user: a session of the same process over HTTP, another process over stdio. */
  window(): Promise<void>;
}

/** Starts a gateway in a folder of its own. */
export async function startGateway(spec: GatewaySpec, behind: Behind): Promise<RunningGateway> {
  const home = await Home.make(spec, behind);
  return guarded(home, async () => {
    const started = performance.now();
    const client = await home.open();
    const tools = await home.serve(client);
    const listedMs = performance.now() - started;
    return {
      client,
      tools,
      listedMs,
      server: home.server,
      family: () => familyOf(home.mark),
      window: async () => {
        await home.serve(await home.open());
      },
      [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
    };
  });
}

/** The folder of a gateway, with all processes and connections that belong to it. */
class Home implements AsyncDisposable {
  readonly mark = randomUUID();
  readonly server: CommandLine;
  private readonly opened: AsyncDisposable[] = [];
  private port: number | undefined;

  private constructor(
    private readonly spec: GatewaySpec,
    private readonly behind: Behind,
    private readonly folder: string,
  ) {
    this.server = echoServer(behind.payload, [`--tag=${this.mark}`]);
  }

  static async make(spec: GatewaySpec, behind: Behind): Promise<Home> {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-'));
    await mkdir(join(folder, 'home'), { mode: 0o700 });
    return new Home(spec, behind, folder);
  }

  async open(): Promise<RawClient> {
    const connection = await (this.spec.url === undefined ? this.stdio() : this.http(this.spec.url));
    const client = new RawClient(connection);
    await client.initialize();
    return client;
  }

  /** Waits for the tools of all servers, which a gateway without a file is given first. */
  async serve(client: RawClient): Promise<readonly string[]> {
    const { servers } = this.behind;
    if (serversBy(this.spec) === 'add_server') {
      for (let index = 0; index < servers; index += 1)
        await client.callTool('add_server', { name: serverName(index), ...this.server });
    }
    return listedTools(client, servers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.opened.map((one) => one[Symbol.asyncDispose]()));
    await this.killRest();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async stdio(): Promise<Connection> {
    const connection = new StdioConnection(await this.start(0));
    this.opened.push(connection);
    return connection;
  }

  /** All windows share the process that the first one has started. */
  private async http(url: string): Promise<Connection> {
    const port = this.port ?? (await this.listen());
    this.port = port;
    const none: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };
    const connection = new StreamableHttpConnection(new URL(url.replaceAll('{port}', String(port))), none);
    this.opened.push(connection);
    return connection;
  }

  private async listen(): Promise<number> {
    const port = await freePort();
    const process = await this.start(port);
    process.child.stdout.resume();
    this.opened.push(stoppedBySignal(process));
    await untilReady(process, () => accepts(port));
    return port;
  }

  private async start(port: number): Promise<ManagedProcess> {
    const names = Array.from({ length: this.behind.servers }, (_, index) => serverName(index));
    const servers = Object.fromEntries(names.map((name) => [name, this.server]));
    const home = join(this.folder, 'home');
    const [command = '', ...args] = filled(this.spec.words, {
      file: (dialect) => writeServers(this.folder, dialect, servers),
      server: [this.server.command, ...this.server.args],
      port,
      home,
    });
    const own = {
      [MARK]: this.mark,
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_STATE_HOME: home,
      MCPMUX_RUNTIME_DIR: home,
    };
    return new ManagedProcess({ command, args }, benchEnvironment(own));
  }

  /** Some gateways leave processes behind. */
  private async killRest(): Promise<void> {
    const { gateway, servers } = familyOf(this.mark);
    for (const pid of [...gateway, ...servers]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it has just ended
      }
    }
  }
}
