import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { qualify, splitQualifiedName } from './qualified-name.js';
import { parseServerName } from './server-name.js';
import { anyText, serverName } from './testing/arbitrary-names.js';

const EXAMPLES: readonly (readonly [rule: string, server: string, local: string, qualified: string])[] = [
  ['a plain name', 'github', 'create_issue', 'github__create_issue'],
  ['tools holding __', 'a', 'b__c', 'a__b__c'],
  ['tools beginning with _', 'a', '_b', 'a___b'],
  ['tools beginning with __', 'a', '__b', 'a____b'],
  ['tools ending in _', 'a', 'b_', 'a__b_'],
  ['an empty tool name', 'a', '', 'a__'],
  ['a tool that is only __', 'a', '__', 'a____'],
  ['a server beginning with _', '_a', 'b', '_a__b'],
  ['Unicode', '日本語', 'ツール', '日本語__ツール'],
  ['spaces and dots', 'my server', 'a.b/c', 'my server__a.b/c'],
];

describe('qualify', () => {
  it.each(EXAMPLES)('encodes %s', (_, server, local, qualified) => {
    expect(qualify(parseServerName(server), local)).toBe(qualified);
  });

  it('D17: gives distinct names to distinct pairs', () => {
    fc.assert(
      fc.property(serverName, anyText, serverName, anyText, (server1, local1, server2, local2) => {
        const same = server1 === server2 && local1 === local2;
        expect(qualify(server1, local1) === qualify(server2, local2)).toBe(same);
      }),
    );
  });

  it('gives distinct names where names of little variety meet', () => {
    const short = fc.stringMatching(/^_?a$/).map((text) => parseServerName(text));
    const local = fc.stringMatching(/^[_a]{0,4}$/);
    fc.assert(
      fc.property(short, local, short, local, (server1, local1, server2, local2) => {
        const same = server1 === server2 && local1 === local2;
        expect(qualify(server1, local1) === qualify(server2, local2)).toBe(same);
      }),
      propertyRuns(250),
    );
  });
});

describe('splitQualifiedName', () => {
  it.each(EXAMPLES)('decodes %s', (_, server, local, qualified) => {
    expect(splitQualifiedName(qualified)).toEqual({ server, local });
  });

  it('splits at the first __', () => {
    expect(splitQualifiedName('a__b__c__d')).toEqual({ server: 'a', local: 'b__c__d' });
    expect(splitQualifiedName('a_b__c')).toEqual({ server: 'a_b', local: 'c' });
    expect(splitQualifiedName('a_____')).toEqual({ server: 'a', local: '___' });
  });

  it.each([
    ['text without __', 'list_servers'],
    ['the empty text', ''],
    ['empty server names', '__tool'],
    ['an empty server name before a longer run of _', '___tool'],
    ['nothing but __', '__'],
    ['a server name of white space', ' __tool'],
    ['a server name holding a line break', 'a\nb__tool'],
    ['a server name that is too long', `${'x'.repeat(65)}__tool`],
  ])('gives undefined for %s', (_, text) => {
    expect(splitQualifiedName(text)).toBeUndefined();
  });

  it('undoes qualify for every server name and any local name', () => {
    fc.assert(
      fc.property(serverName, anyText, (server, local) => {
        expect(splitQualifiedName(qualify(server, local))).toEqual({ server, local });
      }),
      propertyRuns(250),
    );
  });

  it('never throws, and gives parts that qualify to the same text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = splitQualifiedName(text);
        expect(parts === undefined || qualify(parts.server, parts.local) === text).toBe(true);
      }),
      propertyRuns(250),
    );
  });
});
