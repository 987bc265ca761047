import { DEFAULT_NAME_BUDGET, qualify } from '@mcpmux/namespace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  jsonObjectOf,
  jsonSpace,
  jsonString,
  jsonValue,
  withSpaceAround,
} from '@mcpmux/testing/arbitrary-json';
import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { toolDefinition } from '../testing/tool-definitions.js';
import { exposedNameFor, listEntry, ORIGINAL_NAME_KEY } from './exposed-definition.js';

const gh = new StandInUpstream('gh');

/** The entry in `tools/list` of a tool of server `gh`, shown under its qualified name or under `fitted`. */
function entryOf(json: string, fitted?: string): string {
  const definition = toolDefinition(json);
  const qualifiedName = qualify(gh.name, definition.key);
  const tool = { upstream: gh, definition, qualifiedName, exposedName: fitted ?? qualifiedName };
  return listEntry(tool).toString();
}

describe('the entry of a tool in the list', () => {
  it.each([
    ['{"name":"get","inputSchema":{"type":"object"}}', '{"name":"gh__get","inputSchema":{"type":"object"}}'],
    [
      '{ "inputSchema" : {"maximum":12345678901234567890,"multipleOf":1.0,"minimum":-0} ,\t"name" : "get" }',
      '{ "inputSchema" : {"maximum":12345678901234567890,"multipleOf":1.0,"minimum":-0} ,\t"name" : "gh__get" }',
    ],
    ['{"x":1,"x":2,"10":0,"9":0,"name":"get"}', '{"x":1,"x":2,"10":0,"9":0,"name":"gh__get"}'],
    [
      '{"title":"get","name":"get","annotations":{"name":"get"},"icons":[],"_meta":{"name":"get"}}',
      '{"title":"get","name":"gh__get","annotations":{"name":"get"},"icons":[],"_meta":{"name":"get"}}',
    ],
    ['{"n\\u0061me":"g\\u0065t","d":"\\u00e9 é \\/"}', '{"n\\u0061me":"gh__get","d":"\\u00e9 é \\/"}'],
    ['{"name":"get","_meta":null,"outputSchema":[]}', '{"name":"gh__get","_meta":null,"outputSchema":[]}'],
  ])('M5: differs from the definition in the name only: %s', (definition, entry) => {
    expect(entryOf(definition)).toBe(entry);
  });

  it('M5: keeps every other byte of any definition, wherever the name stands', () => {
    fc.assert(
      fc.property(definitionAroundName, ({ before, after }) => {
        expect(entryOf(`{${before}"get"${after}}`)).toBe(`{${before}"gh__get"${after}}`);
      }),
    );
  });
});

describe('the entry of a tool that is shown under a fitted name', () => {
  const original = (local: string): string => `"${ORIGINAL_NAME_KEY}":"gh__${local}"`;

  it.each([
    ['{"name":"a b","x":1.0}', `{"_meta":{${original('a b')}},"name":"gh__a_b_1","x":1.0}`],
    ['{"_meta":{},"name":"a b"}', `{"_meta":{${original('a b')}},"name":"gh__a_b_1"}`],
    ['{"_meta":{ \t},"name":"a b"}', `{"_meta":{${original('a b')} \t},"name":"gh__a_b_1"}`],
    ['{"name":"a b","_meta":{"k":-0}}', `{"name":"gh__a_b_1","_meta":{${original('a b')},"k":-0}}`],
    ['{"name":"a b","_meta":{ "k":{}} }', `{"name":"gh__a_b_1","_meta":{${original('a b')}, "k":{}} }`],
  ])('has the qualified name as the first member of its _meta: %s', (definition, entry) => {
    expect(entryOf(definition, 'gh__a_b_1')).toBe(entry);
  });

  it.each(['null', '5', '"text"', '[{}]'])(
    'leaves a _meta alone that is no object, and adds no second one: %s',
    (meta) => {
      const definition = `{"name":"a b","_meta":${meta}}`;
      expect(entryOf(definition, 'gh__a_b_1')).toBe(`{"name":"gh__a_b_1","_meta":${meta}}`);
    },
  );

  it('has the qualified name as JSON, whatever characters are in it', () => {
    const entry = entryOf('{"name":"\\"\\\\\\n\\ud800日"}', 'gh__1');
    expect(JSON.parse(entry)).toEqual({
      name: 'gh__1',
      _meta: { [ORIGINAL_NAME_KEY]: 'gh__"\\\n\ud800日' },
    });
  });

  it('keeps every byte but the name and the new member', () => {
    fc.assert(
      fc.property(definitionAroundName, ({ before, after, hasMeta }) => {
        const entry = entryOf(`{${before}"a b"${after}}`, 'gh__a_b_1');
        const member = original('a b');
        const added = hasMeta ? [`${member},`, member] : [`"_meta":{${member}},`];
        const withoutAdded = added.reduce((text, part) => text.replace(part, ''), entry);
        expect(withoutAdded).toBe(`{${before}"gh__a_b_1"${after}}`);
        expect(JSON.parse(entry)).toMatchObject({ _meta: { [ORIGINAL_NAME_KEY]: 'gh__a b' } });
      }),
    );
  });
});

describe('the name that a tool is shown under', () => {
  const free = new Set<string>();

  it.each(['get', 'a-b_C9', '', 'x'.repeat(DEFAULT_NAME_BUDGET - 'gh__'.length)])(
    'M6, G3: is the qualified name when clients accept that: %s',
    (local) => {
      const qualified = qualify(gh.name, local);
      expect(exposedNameFor(qualified, DEFAULT_NAME_BUDGET, new Set([qualified]))).toBe(qualified);
    },
  );

  it.each(['a b', '日本語', 'a/b', 'x'.repeat(DEFAULT_NAME_BUDGET)])(
    'M6: is a fitted one otherwise: %s',
    (local) => {
      const name = exposedNameFor(qualify(gh.name, local), DEFAULT_NAME_BUDGET, free);
      expect(name).toMatch(/^gh__[A-Za-z0-9_-]+$/);
      expect(name.length).toBeLessThanOrEqual(DEFAULT_NAME_BUDGET);
    },
  );

  it('is fitted again until no other tool has it', () => {
    const qualified = qualify(gh.name, 'a b');
    const taken = new Set<string>();
    const names = Array.from({ length: 5 }, () => {
      const name = exposedNameFor(qualified, DEFAULT_NAME_BUDGET, taken);
      taken.add(name);
      return name;
    });
    expect(new Set(names).size).toBe(5);
    expect(exposedNameFor(qualified, DEFAULT_NAME_BUDGET, free)).toBe(names[0]);
  });
});

const otherMembers = fc
  .array(fc.tuple(withSpaceAround(jsonString), withSpaceAround(jsonValue)), { maxLength: 4 })
  .map((members) => members.map(([key, value]) => `${key}:${value}`));
const metaMember = jsonObjectOf(jsonString, jsonValue).map((meta) => `"_meta":${meta}`);

/** What stands before and after the text of the name in a definition. */
const definitionAroundName = fc
  .record({
    before: otherMembers,
    after: otherMembers,
    meta: fc.option(fc.tuple(fc.constantFrom('before', 'after'), metaMember), { nil: undefined }),
    space: jsonSpace,
  })
  .map(({ before, after, meta, space }) => {
    const [side, member] = meta ?? [];
    const first = side === 'before' && member !== undefined ? [...before, member] : before;
    const last = side === 'after' && member !== undefined ? [member, ...after] : after;
    return {
      hasMeta: meta !== undefined,
      before: `${first.map((text) => `${text},`).join('')}${space}"name":${space}`,
      after: `${space}${last.map((text) => `,${text}`).join('')}`,
    };
  });
