import { escapeInvisible, MuxError, REFUSAL_ADVICE } from '@mcpmux/kit';
import type { OwnToolContext } from '../../client/caller/own-tool-handler.js';
import type { Upstream } from '../../server/upstream.js';
import type { AddPolicy } from './add-policy.js';
import { askUser } from './ask-user.js';
import { blockedNote, blockedTools } from '../status/changed-tools.js';

/**
 * Checks that an agent may approve a server's tools after a reload. The policy `allow` permits this, `deny` forbids it,
 * and any other policy asks the user.
 *
 * @throws MuxError REFUSED, CANCELLED
 */
export async function requireApproval(
  { mode }: AddPolicy,
  upstream: Upstream,
  context: OwnToolContext,
): Promise<void> {
  if (mode === 'allow') return;
  const reason =
    mode === 'deny'
      ? 'agents may not approve tools of this mcpmux'
      : await askUser(questionAbout(upstream), `the tools of ${upstream.name}`, context);
  if (reason === undefined) return;
  throw new MuxError(
    'REFUSED',
    `The tools of server ${JSON.stringify(upstream.name)} were not approved, and the server was not reloaded: ${reason} ` +
      `(rule: ${mode}). ${REFUSAL_ADVICE}.`,
  );
}

function questionAbout(upstream: Upstream): string {
  return [
    `mcpmux: the agent wants to approve all tools of the MCP server "${escapeInvisible(upstream.name)}".`,
    ...approvalSentences(upstream),
    'Accept if you trust the changes.',
  ].join('\n');
}

/** Returns the sentence about approval for a question about a reload. */
export function approvalSentences(upstream: Upstream): readonly string[] {
  const blocked = blockedTools(upstream);
  return [
    'All tools that it lists after the restart will be approved.',
    ...(blocked.length === 0 ? [] : [blockedNote(blocked)]),
  ];
}
