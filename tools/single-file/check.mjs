import { execFileSync, spawn } from 'node:child_process';
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

const ENDS_WITHIN_MS = 30_000;
const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'check', version: '1' } },
  },
  { method: 'notifications/initialized' },
  // the server is the executable itself: a mcpmux behind a mcpmux
  { id: 2, method: 'tools/call', params: { name: 'add_server', arguments: {} } },
  { id: 3, method: 'tools/call', params: { name: 'inner__list_servers', arguments: {} } },
];

/** Starts the executable in an empty home with no Node.js on its path: its version, and a call through a second one of it. */
export async function checkExecutable(executable) {
  const home = mkdtempSync(join(tmpdir(), 'mcpmux-single-'));
  const env = { HOME: home, USERPROFILE: home, PATH: '/usr/bin:/bin', SystemRoot: process.env.SystemRoot };
  try {
    const version = execFileSync(executable, ['--version'], { env, cwd: home, encoding: 'utf8' });
    assert.match(version, /^\d+\.\d+\.\d+\n$/);
    const answers = await conversation(executable, { env, cwd: home });
    assert.equal(answers.get(2).result.isError ?? false, false, JSON.stringify(answers.get(2)));
    assert.equal(answers.get(3).result.isError ?? false, false, JSON.stringify(answers.get(3)));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Sends each request after the answer to the one before it. */
async function conversation(executable, options) {
  const child = spawn(executable, [], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  const deadline = setTimeout(() => child.kill(), ENDS_WITHIN_MS);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answers = new Map();
  for (const { params, ...message } of MESSAGES) {
    const isAdd = params?.name === 'add_server';
    const own = isAdd ? { ...params, arguments: { name: 'inner', command: executable, args: [] } } : params;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message, params: own })}\n`);
    while (message.id !== undefined && !answers.has(message.id)) {
      const { value, done } = await lines.next();
      assert.ok(!done, `${executable} ended before its answer to ${message.method}`);
      const answer = JSON.parse(value);
      answers.set(answer.id, answer);
    }
  }
  child.stdin.end();
  await once(child, 'exit');
  clearTimeout(deadline);
  return answers;
}
