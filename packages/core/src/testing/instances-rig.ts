import { PassThrough } from 'node:stream';

import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';

import type { StreamPair } from '@mcpmux/wire';
import {
  createMux,
  type Instance,
  type InstanceDirectory,
  type Mux,
  type MuxComponents,
  type MuxOptions,
  type ServerConfig,
} from '../index.js';
import { MuxClient } from './mux-client.js';

/** Another mux of this process, standing for one of another process. */
export interface RigInstance extends Instance {
  readonly mux: Mux;
}

/** A mux whose clients can connect to other ones, which live in the same process. */
export class InstancesRig implements InstanceDirectory, AsyncDisposable {
  readonly mux: Mux;
  private readonly running: RigInstance[] = [];
  private readonly streams = new Map<string, PassThrough[]>();
  private started = 0;

  private constructor(
    private readonly lifeline: Lifeline,
    options: MuxOptions,
    limits: NonNullable<MuxComponents['limits']>,
  ) {
    this.mux = createMux(options, { instances: this, environment: this.environment, limits });
  }

  static async open(options: MuxOptions = {}, limits: MuxComponents['limits'] = {}): Promise<InstancesRig> {
    return new InstancesRig(await Lifeline.open(), options, limits);
  }

  client(capabilities: object = {}): Promise<MuxClient> {
    return MuxClient.initialized(this.mux, capabilities);
  }

  /** Starts another mux with these fixtures as its servers, each under its own name. */
  async instance(name: string, ...fixtures: readonly FixtureName[]): Promise<RigInstance> {
    this.started += 1;
    const pid = this.started;
    const mux = createMux({}, { environment: this.environment });
    await Promise.all(fixtures.map((fixture) => mux.addServer(fixture, configOf(fixture))));
    const started = '2026-01-01T00:00:00.000Z';
    const instance = { id: `${pid}-abc`, name, pid, started, root: `/home/${name}`, mux };
    this.running.push(instance);
    return instance;
  }

  list(): Promise<readonly Instance[]> {
    return Promise.resolve(
      this.running.map(({ id, name, pid, started, root }) => ({ id, name, pid, started, root })),
    );
  }

  open({ id }: Instance): Promise<StreamPair> {
    const instance = this.running.find((one) => one.id === id);
    if (instance === undefined) return Promise.reject(new Error(`instance ${id} has ended`));
    const [there, back] = [new PassThrough(), new PassThrough()];
    this.streams.set(id, [...(this.streams.get(id) ?? []), there, back]);
    instance.mux.connect({ input: there, output: back });
    return Promise.resolve({ input: back, output: there });
  }

  /** The instance goes on to take what it is sent, and answers nothing any more. */
  hang({ id }: Instance): void {
    for (const stream of this.streams.get(id) ?? []) stream.pause();
  }

  /** Its connections break. */
  cut({ id }: Instance): void {
    for (const stream of this.streams.get(id) ?? []) stream.destroy();
    this.streams.delete(id);
  }

  /** The instance dies, without a word. */
  async end(instance: RigInstance): Promise<void> {
    this.running.splice(this.running.indexOf(instance), 1);
    this.cut(instance);
    await instance.mux.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.mux, ...this.running.map(({ mux }) => mux)].map((mux) => mux.close()));
    await this.lifeline[Symbol.asyncDispose]();
  }

  private get environment(): NodeJS.ProcessEnv {
    return { ...process.env, LIFELINE: this.lifeline.address };
  }
}

/** Those that list what their arguments name list one entry. */
function configOf(fixture: FixtureName): ServerConfig {
  const { command, args } = fixtureCommand(fixture);
  const isNamed = fixture === 'resources-many' || fixture === 'prompts-many';
  return { command, args: isNamed ? [...args, 'memo:one'] : args };
}
