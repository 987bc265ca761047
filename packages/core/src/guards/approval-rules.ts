import { isRecord } from '@mcpmux/kit';
import { JsonReader } from '@mcpmux/wire';

import type { GuardContext } from './guard.js';
import { textMatcher, TargetMatch, type Target } from './targets.js';

/** Selects calls that need a person's approval, or exempts calls from approval. */
export interface ApprovalRule extends Target {
  /** If false, the rule exempts the calls that it matches. True when absent. */
  readonly ask?: boolean | undefined;
  /**
   * `destructive`: tools that have neither `readOnlyHint: true` nor `destructiveHint: false`. `not-read-only`: tools
   * without `readOnlyHint: true`. A tool without annotations matches both.
   */
  readonly hint?: 'destructive' | 'not-read-only' | undefined;
  /**
   * Patterns by argument name; only `*` is special. Every named argument must be present and match one of its patterns.
   * A value that is not a string is matched as JSON text.
   */
  readonly arguments?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Restricts the rule to servers that an agent has added. */
  readonly addedBy?: 'agent' | undefined;
}

interface CompiledRule {
  readonly target: TargetMatch;
  readonly asks: boolean;
  readonly hint: ApprovalRule['hint'];
  readonly arguments: readonly (readonly [string, (text: string) => boolean])[];
  readonly isForAgentServers: boolean;
}

/** An ordered list of rules. The first rule that matches a call decides. */
export class ApprovalRules {
  private readonly rules: readonly CompiledRule[];

  constructor(rules: readonly ApprovalRule[]) {
    this.rules = rules.map((rule) => ({
      target: new TargetMatch(rule),
      asks: rule.ask !== false,
      hint: rule.hint,
      arguments: Object.entries(rule.arguments ?? {}).map(([name, patterns]) => [
        name,
        textMatcher(patterns),
      ]),
      isForAgentServers: rule.addedBy === 'agent',
    }));
  }

  /**
   * True if a person must approve the call.
   *
   * @param args returns the JSON bytes of the arguments, or undefined for a call without arguments
   */
  needsApproval(context: GuardContext, args: () => Buffer | undefined): boolean {
    const rule = this.rules.find(
      (one) =>
        one.target.matchesRequest(context) &&
        (!one.isForAgentServers || context.isServerOfAgent) &&
        matchesHint(context, one.hint) &&
        (one.arguments.length === 0 || argumentsMatch(one, args())),
    );
    return rule?.asks === true;
  }
}

/** True if the tool's annotations match the hint. A tool without a definition matches, because it may do anything. */
function matchesHint({ definition = {} }: GuardContext, hint: ApprovalRule['hint']): boolean {
  if (hint === undefined) return true;
  const { annotations } = definition;
  const { readOnlyHint, destructiveHint } = isRecord(annotations) ? annotations : {};
  return readOnlyHint !== true && (hint === 'not-read-only' || destructiveHint !== false);
}

/**
 * True if the arguments match the rule. If several members have the same name, a server may read any of them: a rule
 * that asks needs one match, an exempting rule needs all to match. Non-object arguments match only a rule that asks.
 */
function argumentsMatch({ arguments: patterns, asks }: CompiledRule, args: Buffer | undefined): boolean {
  if (args === undefined) return false;
  const members = memberTextsOf(args);
  if (members === undefined) return asks;
  return patterns.every(([name, matches]) => {
    const texts = members.get(name) ?? [];
    return asks ? texts.some(matches) : texts.length > 0 && texts.every(matches);
  });
}

/** Returns an object's values as text, grouped by member name; undefined if the JSON is not an object. */
function memberTextsOf(json: Buffer): ReadonlyMap<string, readonly string[]> | undefined {
  const reader = new JsonReader(json);
  const start = reader.afterSpace(0);
  if (json[start] !== OPEN_BRACE) return undefined;
  const members = new Map<string, string[]>();
  reader.object(start, 0, (keyStart, keyEnd, valueStart) => {
    const end = reader.value(valueStart);
    const key = String(JSON.parse(json.toString('utf8', keyStart - 1, keyEnd + 1)));
    const value: unknown = JSON.parse(json.toString('utf8', valueStart, end));
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const texts = members.get(key);
    if (texts === undefined) members.set(key, [text]);
    else texts.push(text);
    return end;
  });
  return members;
}

const OPEN_BRACE = 0x7b;
