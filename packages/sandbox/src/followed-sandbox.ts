import type { ClientPolicy } from './client-policy.js';

/** A sandbox that a call gives to its server. */
export interface CallSandbox {
  /** Equal for two calls exactly if their clients have sent the same description, or both none. */
  readonly key: string;
  /** Undefined if the client describes no sandbox. The settings of the server apply alone. */
  readonly policy: ClientPolicy | undefined;
}

/** The key of calls without a description. No JSON text is equal to it. */
const ALONE = 'alone';
/** The sandbox before the first call: no network, and no path that the server may write. */
const BEFORE_CALLS: CallSandbox = {
  key: 'before calls',
  policy: { network: false, access: new Map([['/', 'read']]) },
};

/** The sandbox of clients that one server follows. */
export class FollowedSandbox {
  /** The sandbox of the next start. */
  next = BEFORE_CALLS;
  /** The last description, if it cannot be followed. The problem completes "the description ...". */
  refused: { readonly key: string; readonly problem: string } | undefined;

  /** The problem as a sentence about the server. */
  get warning(): string | undefined {
    if (this.refused === undefined) return undefined;
    const { problem } = this.refused;
    return `it follows the sandbox of its client, whose description ${problem}; calls with it are not sent`;
  }

  /** @param description the JSON text of the description; undefined if the client sends none */
  keyOf(description: string | undefined): string {
    return description ?? ALONE;
  }

  /** Returns the sandbox for a call; undefined if its description cannot be followed. Then {@link refused} has it. */
  async read(key: string): Promise<CallSandbox | undefined> {
    // Most servers follow no client, and do not load the code.
    const { clientPolicy } = await import('./client-policy.js');
    this.refused = undefined;
    if (key === ALONE) return { key, policy: undefined };
    const policy = clientPolicy(JSON.parse(key));
    if (!('problem' in policy)) return { key, policy };
    this.refused = { key, problem: policy.problem };
    return undefined;
  }
}
