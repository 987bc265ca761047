import { BoundedMap, type Clock, type Logger, messageOf, nullLogger, systemClock } from '@mcpmux/kit';

import {
  approvalForm,
  DECLINED_REASON,
  type ApprovalScope,
  type CallToApprove,
  type Verdict,
  verdictOf,
} from './approval-question.js';
import type { ClientUser } from './guard.js';

/** A call that waits for an approval. */
export interface OpenApproval extends CallToApprove {
  /** Unique within the mux. */
  readonly id: number;
  /** The time when the wait began, in milliseconds since the epoch. */
  readonly since: number;
}

/** A person's answer to an {@link OpenApproval}. */
export interface ApprovalAnswer {
  readonly isAllowed: boolean;
  /** One of the scopes that the open approval offers; `once` when absent. */
  readonly scope?: ApprovalScope | undefined;
}

/** Lets pages and terminals list, watch and answer the calls that wait for an approval. */
export interface Approvals {
  list(): readonly OpenApproval[];
  /** Answers an open approval. Returns false if the id is unknown or the scope was not offered. */
  answer(id: number, answer: ApprovalAnswer): boolean;
  /**
   * Calls `listener` for each call that starts to wait. While there is no listener, mcpmux immediately refuses calls
   * from clients that cannot show forms. Returns a function that removes the listener.
   */
  watch(listener: (open: OpenApproval) => void): () => void;
}

/** Stores approvals with the scope `always`. */
export interface ApprovalStore {
  /** Resolves to true if a call with this digest was approved. */
  has(digest: string): Promise<boolean>;
  /** @param call the approved call, stored only for people to read */
  add(digest: string, call: CallToApprove): Promise<void>;
}

/** The user to ask about one call, and the conditions that end the wait for the answer. */
export interface Asking {
  readonly user: ClientUser;
  /** Aborted when the call ends. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** The components of an {@link ApprovalDesk}. */
export interface ApprovalDeskParts {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** When absent, no approval lasts longer than a session. */
  readonly store?: ApprovalStore | undefined;
}

/** Maximum number of calls that may wait for a person at the same time, per session and per principal. */
const MAX_OPEN_APPROVALS = { session: 100, principal: 1000 };
/** Maximum number of remembered digests, for session approvals and for retries of approved calls together. */
const MAX_REMEMBERED = 1000;

const NO_ONE_TO_ASK =
  'no one can be asked: the client shows no forms, and neither a page nor a terminal of mcpmux is there';
const CANCELLED_VERDICT: Verdict = { kind: 'refused', reason: 'the call was cancelled' };

/** Asks people about calls and remembers their approvals. */
export class ApprovalDesk implements Approvals {
  private readonly openCalls = new Map<
    number,
    { readonly approval: OpenApproval; decide(verdict: Verdict): void }
  >();
  private readonly watchers = new Set<(open: OpenApproval) => void>();
  private readonly approvedDigests = new BoundedMap<string, true>(MAX_REMEMBERED);
  private lastId = 0;

  constructor(private readonly parts: ApprovalDeskParts = {}) {}

  get hasStore(): boolean {
    return this.parts.store !== undefined;
  }

  list(): readonly OpenApproval[] {
    return [...this.openCalls.values()].map(({ approval }) => approval);
  }

  answer(id: number, { isAllowed, scope = 'once' }: ApprovalAnswer): boolean {
    const entry = this.openCalls.get(id);
    if (entry === undefined || !entry.approval.scopes.includes(scope)) return false;
    entry.decide(isAllowed ? { kind: 'allowed', scope } : { kind: 'refused', reason: DECLINED_REASON });
    return true;
  }

  watch(listener: (open: OpenApproval) => void): () => void {
    const watcher = (open: OpenApproval): void => listener(open);
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  isRemembered(digest: string): boolean {
    return this.approvedDigests.get(digest) === true;
  }

  /** Resolves to true if the store contains an approval with this digest; to false if not, or if the store fails. */
  async isStored(digest: string): Promise<boolean> {
    try {
      return (await this.parts.store?.has(digest)) === true;
    } catch (error) {
      this.log('warn', 'the stored approvals cannot be read', { problem: messageOf(error) });
      return false;
    }
  }

  remember(digest: string): void {
    this.approvedDigests.set(digest, true);
  }

  /** Removes a remembered approval, so that it covers only one call. Returns false if the digest is unknown. */
  take(digest: string): boolean {
    const isApproved = this.isRemembered(digest);
    if (isApproved) this.approvedDigests.deleteWhere((known) => known === digest);
    return isApproved;
  }

  async store(digest: string, call: CallToApprove): Promise<void> {
    try {
      await this.parts.store?.add(digest, call);
    } catch (error) {
      // The call proceeds although the store failed, because the person has approved it.
      this.log('error', 'an approval was not stored', { problem: messageOf(error) });
    }
  }

  /** Refuses all waiting calls. Called when the mux closes. */
  close(): void {
    for (const open of this.openCalls.values()) open.decide(CANCELLED_VERDICT);
  }

  /** Asks a person to approve a call. Never rejects. Without an answer, the verdict is `refused`. */
  async ask(call: CallToApprove, { user, signal, timeoutMs }: Asking): Promise<Verdict> {
    const problem = this.problemWith(call, user);
    const verdict =
      problem === undefined ? await this.awaitVerdict(call, { user, signal, timeoutMs }) : refused(problem);
    const { server, tool, session } = call;
    const outcome = verdict.kind === 'allowed' ? { allowed: verdict.scope } : { refused: verdict.reason };
    this.log('info', 'approval', { server, tool, session, ...outcome });
    return verdict;
  }

  private problemWith({ principal, session }: CallToApprove, { takesForms }: ClientUser): string | undefined {
    if (!takesForms && this.watchers.size === 0) return NO_ONE_TO_ASK;
    // The limits prevent one client from flooding the people who answer.
    const principalCalls = this.list().filter((open) => open.principal === principal);
    const sessionCalls = principalCalls.filter((open) => open.session === session);
    if (sessionCalls.length >= MAX_OPEN_APPROVALS.session)
      return `${sessionCalls.length} calls of this session wait for a person already`;
    return principalCalls.length >= MAX_OPEN_APPROVALS.principal
      ? `${principalCalls.length} calls of this principal wait for a person already`
      : undefined;
  }

  private async awaitVerdict(call: CallToApprove, { user, signal, timeoutMs }: Asking): Promise<Verdict> {
    const { clock = systemClock } = this.parts;
    const cleanup = new AbortController();
    this.lastId += 1;
    const approval = { ...call, id: this.lastId, since: Date.now() };
    const decision = new Promise<Verdict>((decide) => {
      this.openCalls.set(approval.id, { approval, decide });
      const timeoutVerdict = refused(`no person answered within ${timeoutMs / 1000} s`);
      const timer = clock.schedule(() => decide(timeoutVerdict), timeoutMs);
      const cancel = (): void => decide(CANCELLED_VERDICT);
      signal.addEventListener('abort', cancel, { once: true });
      cleanup.signal.addEventListener('abort', () => {
        timer.cancel();
        signal.removeEventListener('abort', cancel);
      });
      if (signal.aborted) cancel();
      else void this.askClient(call, user, cleanup.signal).then((verdict) => verdict && decide(verdict));
    });
    this.log('info', 'a call waits for an approval', {
      id: approval.id,
      server: call.server,
      tool: call.tool,
      session: call.session,
    });
    this.announce(approval);
    try {
      return await decision;
    } finally {
      this.openCalls.delete(approval.id);
      // Cancels the timer, and withdraws the form if the client has not answered it.
      cleanup.abort();
    }
  }

  private announce(approval: OpenApproval): void {
    for (const watcher of this.watchers)
      try {
        watcher(approval);
      } catch (error) {
        this.log('error', 'a watcher of approvals failed', { problem: messageOf(error) });
      }
  }

  /** Resolves to undefined if only a page or a terminal can still answer. */
  private async askClient(
    call: CallToApprove,
    user: ClientUser,
    signal: AbortSignal,
  ): Promise<Verdict | undefined> {
    if (!user.takesForms) return undefined;
    try {
      const answer = await user.elicit(approvalForm(call), signal);
      if ('result' in answer) return verdictOf(answer.result, call);
      return this.watchers.size > 0 ? undefined : refused(`the user could not be asked: ${answer.problem}`);
    } catch (error) {
      return refused(`the user could not be asked: ${messageOf(error)}`);
    }
  }

  private log(
    level: 'info' | 'warn' | 'error',
    message: string,
    fields: Readonly<Record<string, unknown>>,
  ): void {
    (this.parts.logger ?? nullLogger).log(level, message, fields);
  }
}

function refused(reason: string): Verdict {
  return { kind: 'refused', reason };
}
