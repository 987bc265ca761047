import { describe, expect, it } from 'vitest';

import type { ElicitAnswer } from '../../client/asks/server-requests.js';
import { FakeSpawner } from '../../testing/fake-server.js';
import { OwnToolsRig } from '../../testing/own-tools-rig.js';
import type { AddPolicy } from './add-policy.js';
import { addQuestion, MAX_COMMAND_LENGTH } from './add-question.js';

const SECRETS = ['canary-1', 'canary-2', 'canary-3'];
const SHOWN = 'https://***@example.com/mcp?key=***';
const DECLINE: ElicitAnswer = { result: { action: 'decline' } };

/** An agent that asks for a server at a URL, with a secret wherever there can be one. */
async function attempt(policy: AddPolicy, answer?: ElicitAnswer) {
  await using rig = new OwnToolsRig(new FakeSpawner(), policy);
  rig.userAnswers = answer;
  const result = await rig.result('add_server', {
    name: 'far',
    url: 'https://me:canary-1@example.com/mcp?key=canary-2',
    headers: { Authorization: 'Bearer canary-3' },
    transport: 'http',
  });
  const shown = { text: result.content[0]?.text ?? '', asked: rig.asked.join('\n'), audits: rig.audited };
  for (const secret of SECRETS) expect(JSON.stringify(shown)).not.toContain(secret);
  return { ...shown, isError: result.isError };
}

describe('add_server with a url under a policy', () => {
  it('E11: an allowlist of commands refuses every url and says so', async () => {
    const { text, isError } = await attempt({ mode: 'allowlist', commands: [{ command: 'npx' }] });
    expect(isError).toBe(true);
    expect(text).toContain('has programs only, and no server at a url (rule: allowlist)');
  });

  it('E11: ask shows the url without secrets, the names of headers and the transport', async () => {
    const { asked, text } = await attempt({ mode: 'ask' }, DECLINE);
    expect(asked.split('\n')).toEqual([
      'mcpmux: the agent wants to connect to a server elsewhere, as MCP server "far":',
      'https://[redacted]@example.com/mcp?key=[redacted]',
      'HTTP headers that it sends: Authorization',
      'Transport: http',
      'Hidden as [redacted], because they look like secrets: 3',
      'Accept to let mcpmux send it the calls of the agent.',
    ]);
    expect(text).toContain('(rule: ask)');
  });

  it('E11: deny refuses a url', async () => {
    const { text, isError } = await attempt({ mode: 'deny' });
    expect(isError).toBe(true);
    expect(text).toContain('(rule: deny)');
  });

  it('E11: the audit records the url without secrets', async () => {
    const { audits } = await attempt({ mode: 'deny' });
    expect(audits).toEqual([
      { action: 'add', server: 'far', command: SHOWN, outcome: 'refused', rule: 'deny', session: 1 },
    ]);
  });

  it('E11: a url that nobody can check is not asked about', () => {
    const url = `https://example.com/${'a'.repeat(MAX_COMMAND_LENGTH)}`;
    expect(addQuestion('far', { url }, { command: url, args: [], url, secrets: [] })).toMatchObject({
      problem: expect.stringContaining('the url has') as unknown,
    });
  });
});
