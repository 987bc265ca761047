import { createHash } from 'node:crypto';

import { isRecord, parsedJson } from '@mcpmux/kit';
import { OWN_SERVER } from '../catalog/own-tool.js';
import type { ToolIdentity } from '../server/lists/tool-pins.js';
import { resultAnswer } from './answers.js';
import { ApprovalDesk } from './approval-desk.js';
import {
  refusalResult,
  argumentsForPerson,
  type ApprovalScope,
  type CallToApprove,
} from './approval-question.js';
import { ApprovalRules, type ApprovalRule } from './approval-rules.js';
import type { Guard, GuardAnswer, GuardContext, GuardNext } from './guard.js';
import type { GuardSetting } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { ANYBODY, HOST } from './principal.js';

/** The rules for approvals, the time limit for an answer, and the desk that asks. */
export interface ApprovalOptions {
  /** The first rule that matches a call decides. A call without a matching rule needs no approval. */
  readonly rules: readonly ApprovalRule[];
  /** Milliseconds to wait for an answer before the call is refused; 120,000 when absent. */
  readonly timeoutMs?: number | undefined;
  /** Asks people and remembers approvals. When absent, only the users of clients that show forms can approve a call. */
  readonly desk?: ApprovalDesk | undefined;
}

const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * Returns a guard that asks a person before a tool call passes. An approval covers one call or, with a wider scope,
 * identical calls: the same argument bytes, the same tool with the same definition, and the same client. Without an
 * approval, the call fails with a tool error. Calls by the host and calls to mcpmux's own tools need no approval.
 */
export function approvals({
  rules,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  desk = new ApprovalDesk(),
}: ApprovalOptions): Guard {
  const compiledRules = new ApprovalRules(rules);
  return {
    methods: ['tools/call'],
    handle: (context, next) => {
      const { server, principal, isFromNode } = context;
      if (server === OWN_SERVER || (principal === HOST && !isFromNode)) return next();
      // No server has the tool. The approval names no tool, so the call cannot reach one that is added while inner
      // guards wait.
      if (server === undefined) return next({ isApproved: true });
      const needsApproval = compiledRules.needsApproval(context, () => argumentsOf(context));
      return needsApproval ? callIfApproved({ context, next, desk, timeoutMs }) : next();
    },
  };
}

/** The `guards.approvals` setting in a config. */
export const approvalSetting: GuardSetting<Omit<ApprovalOptions, 'desk'>> = {
  schema: ({ z, flag, milliseconds, optional, patterns, targeted }) => {
    const hint = z.enum(['destructive', 'not-read-only'], { error: 'expected destructive or not-read-only' });
    const rule = targeted<ApprovalRule>({
      ask: optional(flag, 'false: these calls need no approval. true when absent.'),
      hint: optional(hint, 'Only tools that do not declare themselves harmless, or read-only.'),
      arguments: optional(z.record(z.string(), patterns), 'Patterns by the name of an argument.'),
      addedBy: optional(
        z.enum(['agent'], { error: 'expected agent' }),
        'Only servers that an agent has added.',
      ),
    });
    const settings = z.strictObject({
      rules: z
        .array(rule, { error: 'expected a list of rules' })
        .check(z.describe('The first rule that matches a call decides.')),
      timeoutMs: optional(
        milliseconds,
        'A call without an answer is refused after this time; 120000 when absent.',
      ),
    });
    return settings.check(z.describe('Which calls a person must approve.'));
  },
  guards: (options, _, desk) => [approvals({ ...options, desk })],
};

interface CallToCheck {
  readonly context: GuardContext;
  readonly next: GuardNext;
  readonly desk: ApprovalDesk;
  readonly timeoutMs: number;
}

async function callIfApproved({ context, next, desk, timeoutMs }: CallToCheck): Promise<GuardAnswer> {
  const identity = context.toolIdentity;
  // A person cannot judge an unlisted tool. Its approval names no tool, so the call reaches no server.
  if (identity === undefined || context.isApprovedByNode) return next({ isApproved: true });
  const call = new IdentifiedCall(context, identity, argumentsOf(context));
  if (!(await call.isAlreadyApproved(desk))) {
    const callToApprove = call.toCallToApprove(desk.hasStore);
    const verdict = await desk.ask(callToApprove, { user: context.user, signal: context.signal, timeoutMs });
    if (verdict.kind === 'refused') return resultAnswer(refusalResult(callToApprove, verdict.reason), true);
    if (verdict.scope === 'session') desk.remember(call.sessionDigest);
    if (verdict.scope === 'always') await desk.store(call.digest, callToApprove);
  }
  const answer = await next({ isApproved: true });
  call.handleAnswer(answer, desk);
  return answer;
}

/** A call to a tool that its server lists, with the digests that identify repetitions of the call. */
class IdentifiedCall {
  /** Equal for calls with the same argument bytes, tool definition, principal, client name, era and origin. */
  readonly digest: string;

  constructor(
    private readonly context: GuardContext,
    identity: ToolIdentity,
    private readonly args: Buffer | undefined,
  ) {
    const { principal, client = '', era, isNested, isFromNode } = context;
    const hash = args === undefined ? '' : hashOf(args);
    this.digest = hashOf(JSON.stringify([principal.id, client, era, isNested, isFromNode, identity, hash]));
  }

  /** Like `digest`, but equal only for calls in the same session. */
  get sessionDigest(): string {
    return hashOf(JSON.stringify([this.digest, this.context.session]));
  }

  /** Resolves to true if an earlier approval covers this call. The approval of a retry is used up. */
  async isAlreadyApproved(desk: ApprovalDesk): Promise<boolean> {
    const digestOfRetry = this.retryDigest();
    if (digestOfRetry !== undefined && desk.take(digestOfRetry)) return true;
    return desk.isRemembered(this.sessionDigest) || (await desk.isStored(this.digest));
  }

  /**
   * If the server answers an approved call with questions, remembers the digest of the expected retry, so that the
   * approval also covers it.
   */
  handleAnswer({ kind, json }: GuardAnswer, desk: ApprovalDesk): void {
    // Without a session, another client of the same principal could use the approval for its own retry.
    if (!this.context.hasSession || kind !== 'result' || !json.includes(INPUT_REQUIRED)) return;
    const result = parsedJson(json.toString('utf8'));
    if (!isRecord(result) || result['resultType'] !== INPUT_REQUIRED) return;
    desk.remember(this.retryDigestOf(result['requestState']));
  }

  /** The digest that an approved retry has in the desk; undefined if this call is not a retry with answers. */
  private retryDigest(): string | undefined {
    const { readRaw } = this.context;
    const requestState = readRaw('requestState');
    if (requestState !== undefined) return this.retryDigestOf(parsedJson(requestState.toString('utf8')));
    return readRaw('inputResponses') === undefined ? undefined : this.retryDigestOf(undefined);
  }

  toCallToApprove(hasStore: boolean): CallToApprove {
    const { server = '', tool = '', client, principal, session } = this.context;
    const args = argumentsForPerson(this.args?.toString('utf8') ?? '{}');
    return {
      server,
      tool,
      arguments: args,
      client,
      principal: principal.id,
      session,
      scopes: this.scopesToOffer(hasStore),
    };
  }

  /**
   * Returns the scopes to offer: only `once` for a call from another node, `always` only for an identified principal.
   */
  private scopesToOffer(hasStore: boolean): readonly ApprovalScope[] {
    const { hasSession, isFromNode, principal } = this.context;
    if (isFromNode) return ['once'];
    const isIdentified = principal.id !== ANYBODY.id;
    return [
      'once',
      ...(hasSession ? (['session'] as const) : []),
      ...(hasStore && isIdentified ? (['always'] as const) : []),
    ];
  }

  /** @param state the request state that the server sent; undefined without one */
  private retryDigestOf(state: unknown): string {
    return hashOf(JSON.stringify([this.sessionDigest, 'after questions', state]));
  }
}

const INPUT_REQUIRED = 'input_required';

/**
 * Returns the bytes of the arguments that the server gets; undefined if it gets no arguments.
 *
 * @throws GuardRefusal for duplicate `arguments`, because mcpmux and the server could read different ones
 */
function argumentsOf(context: GuardContext): Buffer | undefined {
  const args = context.readRaw('arguments');
  if (args !== undefined || context.params['arguments'] === undefined) return context.sentArguments(args);
  const { server, tool } = context;
  throw new GuardRefusal(
    `The call of ${JSON.stringify(tool)} of server ${JSON.stringify(server)} has its arguments twice. Nothing was ` +
      'called. Send them once.',
    { reason: 'forbidden', isFinal: true },
  );
}

function hashOf(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex');
}
