import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const DESCRIPTION = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'probing', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const described = (params: object = {}): object => ({ ...params, _meta: DESCRIPTION });
/** Half of what clients wait: they give up after a second or more. */
const SOON_MS = 500;
/** On a busy machine Node.js itself starts late. */
const GENEROUS = 6;
const TRIES = 20;

/** A person with a server that leaves a mark when it is started. */
async function marked(): Promise<{ readonly person: Person; readonly mark: string }> {
  const person = await Person.arrive();
  const mark = join(person.home, 'started');
  const program = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  await person.configure({
    mcpServers: { marking: { command: NODE, args: ['-e', program] }, e: fixtureServer('echo') },
  });
  return { person, mark };
}

describe('S15: a process that is asked what it speaks', () => {
  it('starts no server when the client then closes its stdin, and ends well', async () => {
    const { person, mark } = await marked();
    await using _ = person;
    await using cli = new RawCli({ env: person.environment });
    expect((await cli.request('server/discover', described())).result).toMatchObject({
      supportedVersions: ['2026-07-28'],
    });
    cli.child.stdin.end();
    expect((await cli.ended).code).toBe(0);
    expect(existsSync(mark)).toBe(false);
  });

  it('starts no server when the client then ends it', async () => {
    const { person, mark } = await marked();
    await using _ = person;
    await using cli = new RawCli({ env: person.environment });
    await cli.request('server/discover', described());
    cli.child.kill('SIGTERM');
    await cli.ended;
    expect(existsSync(mark)).toBe(false);
  });

  it('starts its servers with the next request, whatever the request is', async () => {
    const { person, mark } = await marked();
    await using _ = person;
    await using cli = new RawCli({ env: person.environment });
    await cli.request('server/discover', described());
    const { result } = await cli.request('tools/call', described({ name: 'list_servers' }));
    expect(JSON.stringify(result)).toContain('"name":"marking"');
    await expect.poll(() => existsSync(mark)).toBe(true);
  });

  it('starts its servers for a client that waits', async () => {
    const { person, mark } = await marked();
    await using _ = person;
    await using cli = new RawCli({ env: person.environment });
    await cli.request('server/discover', described());
    await expect.poll(() => existsSync(mark), { timeout: 10_000 }).toBe(true);
  });

  it('serves a client that goes on with a handshake in the same process', async () => {
    const { person } = await marked();
    await using _ = person;
    await using cli = new RawCli({ env: person.environment });
    await cli.request('server/discover', described());
    await cli.initialize();
    expect(JSON.stringify((await cli.call('list_servers')).result)).toContain('"name":"marking"');
  });

  it('answers soon after its start', async () => {
    const { person } = await marked();
    await using _ = person;
    const bare: number[] = [];
    const answered: number[] = [];
    // In turn, and the shortest of each: others use the machine as well.
    const isSoon = (): boolean => Math.min(...answered) < Math.max(SOON_MS, Math.min(...bare) * GENEROUS);
    for (let count = 0; count < TRIES && !isSoon(); count += 1) {
      const started = performance.now();
      await once(spawn(NODE, ['-e', '0'], { stdio: 'ignore' }), 'exit');
      const begin = performance.now();
      bare.push(begin - started);
      await using cli = new RawCli({ env: person.environment });
      await cli.request('server/discover', described());
      answered.push(performance.now() - begin);
    }
    expect(isSoon(), `${Math.min(...answered)} ms, and ${Math.min(...bare)} ms for Node.js alone`).toBe(true);
  });
});
