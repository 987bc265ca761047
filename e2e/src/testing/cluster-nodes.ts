import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { countReplicas } from '@mcpmux/testing/nats-leader';
import { startNatsServers, type NatsServer } from '@mcpmux/testing/nats-server';
import { temporaryFolder, type TemporaryFolder } from '@mcpmux/testing/temporary-folder';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';
import { HttpCli } from './http-cli.js';

/** How a server of the test is placed. */
export type Servers = Readonly<Partial<Record<FixtureName, object>>>;

/** The servers of fixtures under their own names. */
export function fixtureServers(servers: Servers): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, cluster]) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are names of fixtures
      return [name, { ...fixtureCommand(name as FixtureName), mux: { cluster } }];
    }),
  );
}

/** Settings of all nodes. */
export interface ClusterOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The section `cluster` of the config. */
  readonly cluster?: object;
}

/** How one node is started. */
export interface NodeOptions {
  readonly nats?: readonly NatsServer[];
  /** The command, as a file. */
  readonly program?: string;
}

/** Nodes of one cluster: each is the built command, and NATS is real. */
export class ClusterNodes implements AsyncDisposable {
  readonly nodes = new Map<string, HttpCli>();

  private constructor(
    readonly nats: readonly NatsServer[],
    private readonly folder: TemporaryFolder,
    /** The config file of all nodes. */
    readonly config: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /**
   * Starts as many nodes as there are names, with the same servers in their configs.
   *
   * @param of the servers of NATS, or how many are to be started
   */
  static async open(
    names: readonly string[],
    servers: Readonly<Record<string, object>>,
    of: number | readonly NatsServer[] = 1,
    { env = {}, cluster: settings }: ClusterOptions = {},
  ): Promise<ClusterNodes> {
    const nats = typeof of === 'number' ? await startNatsServers(of) : of;
    const folder = await temporaryFolder();
    const config = join(folder.path, 'config.json');
    writeFileSync(config, JSON.stringify({ mcpServers: servers, cluster: settings }));
    const cluster = new ClusterNodes(nats, folder, config, env);
    try {
      for (const name of names) await cluster.start(name);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** Starts a node, with the servers of NATS that it is given, and in the program of another version. */
  async start(name: string, { nats = this.nats, program }: NodeOptions = {}): Promise<HttpCli> {
    const urls = nats.flatMap(({ url }) => ['--cluster', url]);
    const node = await HttpCli.open({
      args: [...urls, '--node', name, '--config', this.config],
      // The fixture `fenced` notes the node that runs it.
      env: { HOME: this.folder.path, FENCED_NODE: name, ...this.env },
      ...(program !== undefined && { program }),
    });
    this.nodes.set(name, node);
    return node;
  }

  /** The home of all processes of this cluster: their environment names it. */
  get home(): string {
    return this.folder.path;
  }

  get urls(): readonly URL[] {
    return [...this.nodes.values()].map(({ url }) => url);
  }

  /** The names of the nodes but for one. */
  others(name: string): readonly string[] {
    return [...this.nodes.keys()].filter((one) => one !== name);
  }

  node(name: string): HttpCli {
    const node = this.nodes.get(name);
    if (node === undefined) throw new Error(`no node ${name}`);
    return node;
  }

  /** Kills a node without a word. */
  async kill(name: string): Promise<void> {
    const node = this.node(name);
    this.nodes.delete(name);
    node.child.kill('SIGKILL');
    await node.ended;
  }

  /** Tells a node to end, and waits until it has. */
  async end(name: string): Promise<void> {
    const node = this.node(name);
    this.nodes.delete(name);
    node.child.kill('SIGTERM');
    await node.ended;
  }

  /** The name of the node that runs a program as the server. */
  async ownerOf(server: string): Promise<string> {
    for (;;) {
      for (const [name, { stderr }] of this.nodes) {
        const last = stderr.lastIndexOf(`[${server}] started a server process`);
        if (last !== -1 && stderr.lastIndexOf(`[${server}] server removed`) < last) return name;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Resolves when every server of NATS has a copy of what the nodes share. */
  async copied(): Promise<void> {
    for (const bucket of ['servers', 'owners', 'nodes', 'settings'])
      while ((await countReplicas(this.nats, `mcpmux_${bucket}`)) < this.nats.length)
        await new Promise((resolve) => setTimeout(resolve, 100));
  }

  /** A figure of a node. */
  async figure(name: string, figure: string): Promise<number> {
    return (await this.figures(name, [figure]))[figure] ?? Number.NaN;
  }

  /** Several figures of a node, of one moment. */
  async figures(name: string, figures: readonly string[]): Promise<Readonly<Record<string, number>>> {
    const { text } = await this.node(name).send({ path: '/metrics' });
    const value = (figure: string): number =>
      Number(new RegExp(`^mcpmux_${figure} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    return Object.fromEntries(figures.map((figure) => [figure, value(figure)]));
  }

  /** Runs `mcpmux cluster` with these words, and gives its stdout. */
  async command(...words: readonly string[]): Promise<string> {
    const urls = this.nats.flatMap(({ url }) => ['--cluster', url]);
    const run = promisify(execFile);
    const env = cleanEnvironment({ HOME: this.folder.path });
    return (await run(NODE, [CLI, 'cluster', ...words, ...urls], { env })).stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.nodes.values()].map((node) => node[Symbol.asyncDispose]()));
    await Promise.all(this.nats.map((server) => server[Symbol.asyncDispose]()));
    await this.folder[Symbol.asyncDispose]();
  }
}
