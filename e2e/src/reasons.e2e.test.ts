import { describe, expect, it } from 'vitest';

import { NODE } from './testing/built-cli.js';
import { RawCli } from './testing/raw-cli.js';
import { failureText, textOf } from './testing/tool-response.js';

const ANSWER = `
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize')
    answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/list') answer({ tools: [{ name: 'die', inputSchema: { type: 'object' } }] });
  if (method === 'tools/call') die();
});`;
// Blocking writes, as a Go program's: Node.js drops lines that wait at its exit when the socket of stderr is full.
const TELL = `const tell = (line) => require('node:fs').writeSync(2, line + '\\n');`;
const TRACE = `for (let i = 0; i < 60; i += 1) tell('main.step' + i + '({0xc000, 0x1})\\n\\t/go/src/main.go:' + i);`;
const PANIC = `tell('panic: go panic here\\n\\ngoroutine 34 [running]:'); ${TRACE} process.exit(2);`;
const USAGE = `for (let i = 1; i <= 60; i += 1) tell(String(i));`;
const LOG = `for (let i = 0; i < 200; i += 1) tell('request ' + i);`;

describe('the reason of a failure is in the answer', () => {
  it.each([
    [
      'a line on stdout',
      NODE,
      ['-e', "console.log('Error: API_KEY is required'); process.exitCode = 1"],
      'Error: API_KEY is required',
    ],
    [
      'half a line on stdout',
      NODE,
      ['-e', "process.stdout.write('Error: API_KEY is required'); process.exitCode = 1"],
      'API_KEY is required',
    ],
    [
      'a flag error before sixty lines of usage',
      NODE,
      ['-e', `${TELL} tell('flag provided but not defined: -nope'); ${USAGE} process.exit(2);`],
      'flag provided but not defined: -nope',
    ],
    ['a panic before a long trace', NODE, ['-e', TELL + PANIC], 'panic: go panic here'],
    ['a panic between a long log and a long trace', NODE, ['-e', TELL + LOG + PANIC], 'panic: go panic here'],
    [
      'an error of Node.js',
      NODE,
      ['-e', "const f = (n) => { if (n === 0) throw new Error('no access token'); f(n - 1); }; f(50)"],
      'Error: no access token',
    ],
  ])('A2, M7: of add_server: %s', async (_, command, args, reason) => {
    await using cli = new RawCli();
    await cli.initialize();
    const text = failureText(await cli.call('add_server', { name: 'x', command, args }));
    expect(text).toContain(reason);
    expect(text).toContain('server_logs');
    expect(text).toContain('It was not added.');
    // Of many lines within a second the log has the first hundred.
    const log = textOf(await cli.call('server_logs', { name: 'x' }));
    expect(log).toContain(args[1]?.startsWith(TELL + LOG) === true ? 'more lines within a second' : reason);
  });

  it('M7: of a call and of reload_server', async () => {
    await using cli = new RawCli();
    await cli.initialize();
    const program = `${TELL}const die = () => { console.log('last words'); ${LOG}${PANIC} };${ANSWER}`;
    await cli.call('add_server', { name: 'x', command: NODE, args: ['-e', program] });
    const call = failureText(await cli.call('x__die'));
    for (const part of ['panic: go panic here', 'last words', 'server_logs']) expect(call).toContain(part);
    expect(call.length).toBeLessThan(10_000);
    const { result } = await cli.call('list_servers');
    expect(JSON.stringify(result)).toContain('last words');
  });
});

it('fault H4: a secret is in no line of stdout that is logged or told', async () => {
  const cli = new RawCli({ args: ['--log-level', 'debug'] });
  await cli.initialize();
  const env = { API_TOKEN: 'Kx9-secretVALUE/+=42zz-QQ' };
  const script = `
    const { API_TOKEN } = process.env;
    process.stdout.write('token ' + API_TOKEN + '\\n' + '0'.repeat(190) + API_TOKEN + API_TOKEN, () => process.exit(1));
  `;
  const server = { command: process.execPath, args: ['-e', script], env };
  const answer = JSON.stringify(await cli.call('add_server', { name: 'x', ...server }));
  expect(answer).toContain('token [redacted]');
  await cli[Symbol.asyncDispose]();
  expect(cli.stderr).toContain('dropped a line of a server');
  expect(`${answer}${cli.stderr}`).not.toMatch(/Kx9|secret|VALUE|zz-QQ/);
});
