import { EventEmitter, once } from 'node:events';

import { parseServerName } from '@mcpmux/namespace';

import type { PendingCall } from '../server/link/pending-call.js';
import type { CallFailure } from '../server/link/run-failure.js';
import { Layer } from '../server/config/layer.js';
import type { ServerConfig } from '../server/config/server-config.js';
import { Upstream } from '../server/upstream.js';
import type { UpstreamComponents } from '../server/run/run-components.js';
import type { ServerReport } from '../server/run/server-report.js';
import type { UpstreamState } from '../server/upstream-state.js';
import { outgoingCall } from './connected.js';

/** How a call ended: with a line of the server, or without one. */
export type CallOutcome = { readonly line: string } | { readonly failure: CallFailure };

/** An upstream whose events are kept, and that is shut down at the end of its scope. */
export class RecordedUpstream implements AsyncDisposable {
  readonly upstream: Upstream;
  /** Every state it has been in since its first start. */
  readonly states: UpstreamState[] = [];
  /** Names of its tools each time they were announced to have changed. */
  readonly toolChanges: (readonly string[])[] = [];
  readonly stderr: string[] = [];
  /** Each process that was started for it. */
  readonly pids: number[] = [];
  private readonly changes = new EventEmitter();

  constructor(
    config: ServerConfig,
    components: UpstreamComponents<Upstream>,
    predecessorEnded?: Promise<void>,
  ) {
    this.upstream = new Upstream(
      { name: parseServerName('fixture'), config, layer: new Layer('shared'), position: 1 },
      components,
      {
        predecessorEnded,
        observe: (upstream, report) => this.observed(upstream, report),
        onSessionLost: () => false,
        onSessionDoubted: () => Promise.resolve(false),
      },
    );
  }

  get toolNames(): readonly string[] {
    return this.upstream.tools.map(({ key }) => key);
  }

  /** Resolves as soon as `isSo`, looked at after each event. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await once(this.changes, 'change');
  }

  /** Resolves to the next state of this kind, or the present one. */
  async untilState<Kind extends UpstreamState['kind']>(
    kind: Kind,
  ): Promise<Extract<UpstreamState, { kind: Kind }>> {
    await this.until(() => this.upstream.state.kind === kind);
    const { state } = this.upstream;
    if (!isOfKind(state, kind)) throw new Error(`the server is ${state.kind}`);
    return state;
  }

  /** Calls a tool as a client's session does. */
  callTool(name: string, args: object = {}): Promise<CallOutcome> {
    const { connection } = this.upstream;
    if (connection === undefined) throw new Error(`the server is ${this.upstream.state.kind}`);
    const line = JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    return new Promise((resolve) => {
      const sink: PendingCall = {
        exchange: { client: this },
        onProgress: () => undefined,
        onResponse: (response) => resolve({ line: response.toString() }),
        fail: (failure) => resolve({ failure }),
      };
      const sent = connection.calls.sendCall(outgoingCall(line), sink);
      if (typeof sent !== 'number') resolve({ failure: sent });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.upstream.shutDown();
  }

  private observed({ state }: Upstream, report: ServerReport<Upstream>): void {
    if (report.kind === 'state-changed') this.changed(() => this.states.push(state));
    if (report.kind === 'stderr') this.changed(() => this.stderr.push(report.line));
    if (report.kind === 'spawned') this.pids.push(report.pid);
    if (report.kind === 'list-changed' && report.list === 'tools')
      this.changed(() => this.toolChanges.push(this.toolNames));
  }

  private changed(record: () => void): void {
    record();
    this.changes.emit('change');
  }
}

function isOfKind<Kind extends UpstreamState['kind']>(
  state: UpstreamState,
  kind: Kind,
): state is Extract<UpstreamState, { kind: Kind }> {
  return state.kind === kind;
}
