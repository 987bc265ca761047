import { describe, expect, it } from 'vitest';

import { parameterProblem } from './request-caller.js';

const TOOL = Buffer.from(
  JSON.stringify({
    name: 't',
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        level: { type: 'integer', 'x-mcp-header': 'Level' },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
        inner: { type: 'object', properties: { id: { type: 'string', 'x-mcp-header': 'Inner-Id' } } },
        plain: { type: 'string' },
      },
    },
  }),
);

function call(args: string): Buffer {
  return Buffer.from(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${args}}}`,
  );
}

/** The header that a call is refused for. */
function refusedFor(args: string, headers: Readonly<Record<string, string>>, tool = TOOL): unknown {
  const problem = parameterProblem(call(args), tool, (name) => headers[name]);
  return problem && { code: problem.code, ...(problem.data as object) };
}

describe('the headers that repeat the arguments of a tool', () => {
  it.each([
    ['a text', '{"region":"eu"}', { region: 'eu' }],
    ['a text with escapes', String.raw`{"region":"\u65e5"}`, { region: '日' }],
    ['an integer', '{"level":42}', { level: '42' }],
    ['an integer with a fraction of nothing', '{"level":42.0}', { level: '42' }],
    [
      'an integer that no number of JavaScript holds',
      '{"level":12345678901234567890}',
      { level: '12345678901234567890' },
    ],
    ['a boolean', '{"dry":false}', { dry: 'false' }],
    ['a parameter inside another one', '{"inner":{"id":"x"}}', { 'inner-id': 'x' }],
    ['null, which needs no header', '{"region":null}', {}],
    ['no argument, whatever the header says', '{}', { region: 'eu' }],
    ['a parameter without annotation', '{"plain":"x"}', {}],
  ])('may go on for %s', (_, args, headers) => {
    expect(refusedFor(args, headers)).toBeUndefined();
  });

  it.each([
    ['is missing', '{"region":"eu"}', {}, 'Mcp-Param-region'],
    ['names another text', '{"region":"eu"}', { region: 'us' }, 'Mcp-Param-region'],
    ['names the text in capitals', '{"region":"eu"}', { region: 'EU' }, 'Mcp-Param-region'],
    ['names another integer', '{"level":42}', { level: '43' }, 'Mcp-Param-level'],
    ['names no integer', '{"level":0}', { level: '' }, 'Mcp-Param-level'],
    [
      'names the neighbour of a large integer',
      '{"level":12345678901234567890}',
      { level: '12345678901234567891' },
      'Mcp-Param-level',
    ],
    ['names a text for a boolean', '{"dry":true}', { dry: '"true"' }, 'Mcp-Param-dry'],
    [
      'differs for a member that stands twice',
      '{"region":"us","region":"eu"}',
      { region: 'us' },
      'Mcp-Param-region',
    ],
  ])('are refused where one %s', (_, args, headers, header) => {
    expect(refusedFor(args, headers as Record<string, string>)).toEqual({ code: -32_020, header });
  });

  it('are not compared for a tool whose annotations are not valid', () => {
    const twice = { 'x-mcp-header': 'A', type: 'string' };
    const tool = Buffer.from(
      JSON.stringify({ name: 't', inputSchema: { properties: { a: twice, b: twice } } }),
    );
    expect(refusedFor('{"a":"x"}', {}, tool)).toBeUndefined();
  });
});
