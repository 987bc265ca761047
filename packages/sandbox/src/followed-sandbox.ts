import type { ClientPolicy } from './client-policy.js';

/** The sandbox in which a call's server must run. */
export interface CallSandbox {
  /** Two calls have the same key if and only if their clients sent the same description, or both sent none. */
  readonly key: string;
  /** Undefined if the client does not describe a sandbox, so that only the server's own settings apply. */
  readonly policy: ClientPolicy | undefined;
}

/** The key for calls without a description. It is not valid JSON, so it cannot equal any description. */
const NO_DESCRIPTION_KEY = 'alone';
/** The sandbox before the first call, with no network access and no writable paths. */
const INITIAL_SANDBOX: CallSandbox = {
  key: 'before calls',
  policy: { network: false, access: new Map([['/', 'read']]) },
};

/** The client sandbox that one server follows. */
export class FollowedSandbox {
  /** The sandbox for the server's next start. */
  next = INITIAL_SANDBOX;
  /** The last description, if mcpmux cannot follow it. The problem completes the sentence "the description ...". */
  refused: { readonly key: string; readonly problem: string } | undefined;

  /** A sentence for error messages that states the problem and names the server. */
  get warning(): string | undefined {
    if (this.refused === undefined) return undefined;
    const { problem } = this.refused;
    return `it follows the sandbox of its client, whose description ${problem}; calls with it are not sent`;
  }

  /** @param description the description's JSON text, or undefined if the client sent none */
  keyOf(description: string | undefined): string {
    return description ?? NO_DESCRIPTION_KEY;
  }

  /** Returns the sandbox for a call. Returns undefined and sets {@link refused} if mcpmux cannot follow it. */
  async read(key: string): Promise<CallSandbox | undefined> {
    // Loaded on demand, because most servers do not follow a client.
    const { parseClientPolicy } = await import('./client-policy.js');
    this.refused = undefined;
    if (key === NO_DESCRIPTION_KEY) return { key, policy: undefined };
    const policy = parseClientPolicy(JSON.parse(key));
    if (!('problem' in policy)) return { key, policy };
    this.refused = { key, problem: policy.problem };
    return undefined;
  }
}
