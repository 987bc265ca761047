import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import { NODE } from './testing/built-cli.js';
import { ACCEPT, HttpCli, INITIALIZE } from './testing/http-cli.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const LINE = 10_000_000;
const ENDLESS = 64 * 1024 * 1024;
const BODY = 4 * 1024 * 1024;
const AROUND = [-1, 0, 1] as const;

/** Its tool `measure` answers with the bytes of the request line, `line` with a line of so many bytes. */
const RULER = `
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const tool = (name) => ({ name, inputSchema: { type: 'object' } });
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  const results = {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'r', version: '1' } }),
    'tools/list': () => ({ tools: [tool('measure'), tool('line')] }),
    'tools/call': ({ name, arguments: { bytes } }, id, line) => {
      if (name === 'measure') return text(String(line.length));
      const empty = JSON.stringify({ jsonrpc: '2.0', id, result: text('') });
      return text('x'.repeat(bytes - empty.length));
    },
  };
  let parts = [];
  process.stdin.on('data', (chunk) => {
    for (let end; (end = chunk.indexOf(10)) !== -1; chunk = chunk.subarray(end + 1)) {
      const line = Buffer.concat([...parts, chunk.subarray(0, end)]);
      parts = [];
      const { id, method, params } = JSON.parse(line);
      if (id !== undefined) write({ id, result: results[method]?.(params, id, line) ?? {} });
    }
    parts.push(chunk);
  });`;

async function withRuler(): Promise<RawCli> {
  const cli = new RawCli({ args: ['--log-level', 'info'] });
  await cli.initialize();
  await cli.call('add_server', { name: 'r', command: NODE, args: ['-e', RULER] });
  return cli;
}

/** A call of so many bytes. */
function callOf(bytes: number, id: string): string {
  const call = (fill: string): string =>
    `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"r__measure","arguments":{"fill":"${fill}"}}}`;
  return call('x'.repeat(bytes - call('').length));
}

describe('a line at its limit, one byte below it and one above it', () => {
  it('B6: of a client is served up to the limit, and refused once above it', async () => {
    await using cli = await withRuler();
    for (const more of AROUND) cli.write(callOf(LINE + more, `at${more}`));
    const sizes = [await cli.response('at-1'), await cli.response('at0')].map((answer) =>
      Number(textOf(answer)),
    );
    expect(Math.min(...sizes)).toBeGreaterThan(LINE - 100);
    const { error } = await cli.response('at1');
    expect(error?.message).toContain(`above the limit of ${LINE}`);
    expect(textOf(await cli.call('r__measure', {}))).toMatch(/^\d+$/);
    expect(cli.messages.filter(({ id }) => String(id).startsWith('at'))).toHaveLength(AROUND.length);
  });

  it('B6: of a server is delivered whole up to the limit, and fails its call alone above it', async () => {
    await using cli = await withRuler();
    const answers = await Promise.all(AROUND.map((more) => cli.call('r__line', { bytes: LINE + more })));
    expect(answers.map(({ error }) => error?.message ?? 'whole')).toEqual([
      'whole',
      'whole',
      expect.stringContaining(`above the limit of ${LINE}`),
    ]);
    const sizes = answers.slice(0, 2).map((answer) => textOf(answer).length);
    expect((sizes[1] ?? 0) - (sizes[0] ?? 0)).toBe(1);
    expect(textOf(await cli.call('r__measure', {}))).toMatch(/^\d+$/);
  });

  it('B7: that counts as endless above a limit stops its server there, and not before', async () => {
    await using cli = await withRuler();
    for (const more of [-1, 0]) {
      const { error } = await cli.call('r__line', { bytes: ENDLESS + more });
      expect(error?.message).toContain(`above the limit of ${LINE}`);
    }
    // The end of a line that is one byte longer may come with the same chunk.
    const endless = await cli.call('r__line', { bytes: ENDLESS + 1_000_000 });
    expect(JSON.stringify(endless)).toContain('has no end');
  });
});

describe('a message over HTTP at its limit, one byte below it and one above it', () => {
  it('I12: of a client is served up to the limit, and refused with 413 above it', async () => {
    await using cli = await HttpCli.open();
    const headers = { ...ACCEPT, 'mcp-session-id': await cli.session() };
    const statuses: number[] = [];
    for (const more of AROUND)
      statuses.push((await cli.send({ method: 'POST', headers, body: callOf(BODY + more, 'a') })).status);
    expect(statuses).toEqual([200, 200, 413]);
    expect((await cli.send({ method: 'POST', headers: ACCEPT, body: INITIALIZE })).status).toBe(200);
  });

  it.each(['application/json', 'text/event-stream'])(
    'I22: of a server (%s) is delivered up to the limit, and fails its call alone above it',
    async (type) => {
      await using server = await RemoteServer.open();
      await using cli = new RawCli({ args: ['--log-level', 'info'] });
      await cli.initialize();
      await cli.call('add_server', { name: 'far', url: server.url });
      const { intercept } = server;
      let more = 0;
      server.intercept = (request, response) => {
        if (request.rpc !== 'tools/call') return intercept(request, response);
        const { id } = request.body as { readonly id: number };
        const message = (fill: string): string =>
          JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: fill }] } });
        const body = message('x'.repeat(LINE + more - message('').length));
        response.writeHead(200, { 'content-type': type });
        response.end(type === 'application/json' ? body : `data: ${body}\n\n`);
        return true;
      };
      const outcomes: string[] = [];
      for (more of AROUND) {
        const answer = await cli.call('far__echo', { message: 'x' });
        outcomes.push(textOf(answer).startsWith('xxx') ? 'whole' : JSON.stringify(answer).slice(0, 500));
      }
      expect(outcomes.slice(0, 2)).toEqual(['whole', 'whole']);
      expect(outcomes[2]).toContain(String(LINE));
      server.intercept = intercept;
      expect(textOf(await cli.call('far__echo', { message: 'again' }))).toBe('again');
    },
  );
});
