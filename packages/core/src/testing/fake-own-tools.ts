import type { OwnToolContext, OwnToolHandler } from '../client/caller/own-tool-handler.js';

/** One call of an own tool, for the test to answer. */
export interface FakeOwnCall {
  readonly name: string;
  readonly args: unknown;
  readonly context: OwnToolContext;
  readonly resolve: (result: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Tools of mcpmux itself that end when the test says so. */
export class FakeOwnTools implements OwnToolHandler {
  readonly calls: FakeOwnCall[] = [];
  /** What a call does at once. */
  onCall: (call: FakeOwnCall) => void = () => undefined;

  /** Whether calls change lists. */
  areChanging = false;

  constructor(private readonly names: readonly string[] = ['own_tool']) {}

  has(name: string): boolean {
    return this.names.includes(name);
  }

  changesLists(): boolean {
    return this.areChanging;
  }

  call(name: string, args: unknown, context: OwnToolContext): Promise<string> {
    return new Promise((resolve, reject) => {
      const call = { name, args, context, resolve, reject };
      this.calls.push(call);
      this.onCall(call);
    });
  }

  /** The call that was made last. */
  get last(): FakeOwnCall {
    const call = this.calls.at(-1);
    if (call === undefined) throw new Error('no own tool was called');
    return call;
  }
}
