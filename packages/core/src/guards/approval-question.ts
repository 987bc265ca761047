import { cutText, escapeInvisible, quote } from '@mcpmux/kit';

/** The calls that an approval covers: one call, identical calls in this session, or identical calls from now on. */
export type ApprovalScope = 'once' | 'session' | 'always';

/** A call that needs an approval, described for the person who decides. */
export interface CallToApprove {
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** The arguments that the server gets, as JSON text for a person ({@link argumentsForPerson}). */
  readonly arguments: string;
  /** The name that the client reports. */
  readonly client?: string | undefined;
  readonly principal: string;
  /** The number of the client's session. */
  readonly session: number;
  /** The scopes that a person can choose. */
  readonly scopes: readonly ApprovalScope[];
}

/** The decision on a call: the scope of the approval, or the reason for the refusal. */
export type Verdict =
  | { readonly kind: 'allowed'; readonly scope: ApprovalScope }
  | { readonly kind: 'refused'; readonly reason: string };

/** Maximum length of the arguments in a question, in characters. People do not read longer text. */
export const MAX_ARGUMENTS_LENGTH = 8000;

const CHOICE_LABELS: Readonly<Record<ApprovalScope, string>> = {
  once: 'this call only',
  session: 'the same call in this session',
  always: 'the same call from now on',
};

/** Returns the elicitation params that ask the client's user to approve the call. */
export function approvalForm({ server, tool, arguments: args, scopes }: CallToApprove): object {
  const lines = [
    `mcpmux: the agent wants to call the tool ${quote(tool)} of the MCP server ${quote(server)} with these arguments:`,
    args,
    'Accept to let the call pass. The same call has the same arguments, to the byte, of the same unchanged tool.',
  ];
  const choices = scopes.map((scope) => CHOICE_LABELS[scope]);
  const allow = { type: 'string', title: 'Allow', enum: choices, default: CHOICE_LABELS.once };
  const properties = choices.length > 1 ? { allow } : {};
  return { message: lines.join('\n'), requestedSchema: { type: 'object', properties } };
}

/** Returns the arguments as text for a person. Escapes invisible characters, and replaces excess text with a note. */
export function argumentsForPerson(args: string): string {
  const excerpt = escapeInvisible(cutText(args, MAX_ARGUMENTS_LENGTH));
  const restLength = args.length - MAX_ARGUMENTS_LENGTH;
  return restLength > 0 ? `${excerpt}\n(${restLength} more characters are not shown)` : excerpt;
}

/** Returns the verdict from a client's answer to the form. Accepting without an offered choice allows the call once. */
export function verdictOf(
  { action, content }: Readonly<Record<string, unknown>>,
  { scopes }: Pick<CallToApprove, 'scopes'>,
): Verdict {
  if (action !== 'accept')
    return { kind: 'refused', reason: action === 'decline' ? DECLINED_REASON : 'the user gave no answer' };
  const { allow }: { readonly allow?: unknown } = Object(content);
  const scope = scopes.find((one) => CHOICE_LABELS[one] === allow);
  return { kind: 'allowed', scope: scope ?? 'once' };
}

/** The reason for a refusal when a person has declined the call. */
export const DECLINED_REASON = 'the user declined it';

/** Returns the tool error for a call that was not approved. */
export function refusalResult({ server, tool }: CallToApprove, reason: string): object {
  const text =
    `Tool ${quote(tool)} of server ${quote(server)} was not called: the call needs the approval of a person, and ` +
    `${reason}. Do not reach the same effect in another way. Ask the user how to go on.`;
  return { content: [{ type: 'text', text }], isError: true };
}
