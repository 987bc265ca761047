import { describe, expect, it } from 'vitest';

import { CLIENT_OPENINGS } from './testing/client-openings.js';
import { fixtureServer } from './testing/fixture-server.js';
import { ACCEPT, HttpCli } from './testing/http-cli.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

describe.each(CLIENT_OPENINGS)('A11: what $client sends', ({ initialize, next, asked, call, revision }) => {
  it('is understood over stdio: the revision it asks for, a list for each question, and its calls', async () => {
    await using cli = new RawCli();
    cli.write(initialize);
    const greeting = await cli.response(0);
    expect(greeting.result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'mcpmux' } });
    for (const line of next) cli.write(line);
    for (const id of asked) expect((await cli.response(id)).result).toBeDefined();
    const server = { name: 'e', ...fixtureServer('echo') };
    const added = await cli.request('tools/call', { name: 'add_server', arguments: server }, 'add');
    expect(added.result?.['isError']).not.toBe(true);
    const { id, line } = call('e__echo', 'hello');
    cli.write(line);
    expect(textOf(await cli.response(id))).toBe('hello');
  });

  it('is understood over HTTP, with the headers it sends', async () => {
    await using cli = await HttpCli.open();
    const opened = await cli.send({ method: 'POST', headers: ACCEPT, body: initialize });
    expect(opened).toMatchObject({ status: 200 });
    const headers = {
      ...ACCEPT,
      'mcp-session-id': String(opened.headers['mcp-session-id']),
      'mcp-protocol-version': revision,
    };
    const answers = await Promise.all(next.map((body) => cli.send({ method: 'POST', headers, body })));
    expect(answers.map(({ status }) => status)).toEqual(next.map((_, index) => (index === 0 ? 202 : 200)));
  });
});
