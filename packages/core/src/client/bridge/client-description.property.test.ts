import { type Message, readMessage, splice } from '@mcpmux/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CLIENT_PARAM_PATHS } from '../caller/client-paths.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import { CLIENT_META_KEYS } from '../../server/dialect/envelope-keys.js';
import { ClientEnvelopes } from './client-envelopes.js';
import { envelopeEdits } from './request-envelope.js';

const MUX = { name: 'mcpmux', version: '1' };
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, extensions: { 'x/y': { z: 1 } } };
const profile: ClientProfile = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES };

const gap = fc.constantFrom('', ' ', '\t');
const own = fc.constantFrom('"name":"t"', '"arguments":{"name":{"a":1}}', '"x":"\\"name\\":"');
const meta = fc.constantFrom('"_meta":{}', '"_meta":{"progressToken":1}', '"_meta":null', '"_meta":{"a":[]}');
const params = fc
  .record({
    own: fc.uniqueArray(own, { selector: (text) => text }),
    meta: fc.option(meta, { nil: undefined }),
    gap,
    isFirst: fc.boolean(),
  })
  .map(({ own: members, meta: json, gap: space, isFirst }) => {
    const around = json === undefined ? [] : [json];
    const all = isFirst ? [...around, ...members] : [...members, ...around];
    return `{${space}${all.join(`${space},${space}`)}${space}}`;
  });
const line = params.map((json) => Buffer.from(`{"id":1,"method":"tools/call","params":${json}}`));

function request(bytes: Buffer) {
  const message: Message = readMessage(bytes, CLIENT_PARAM_PATHS);
  if (message.kind !== 'request') throw new Error('no request');
  return { line: bytes, idSpan: message.id, params: message.params };
}

function modern(members: Readonly<Record<string, string>>): Buffer {
  const all = Object.entries(members).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  return Buffer.from(`{"id":1,"method":"tools/call","params":{"name":"t","_meta":{${all.join(', ')}}}}`);
}

function described(text: string): Readonly<Record<string, unknown>> {
  const {
    params: { ['_meta']: written },
  } = JSON.parse(text);
  return written;
}

const WRITTEN = {
  [CLIENT_META_KEYS.version]: '"2026-07-28"',
  [CLIENT_META_KEYS.info]: '{"name":"c", "version":"1"}',
  [CLIENT_META_KEYS.capabilities]: '{"elicitation":{"form":{}},"sampling":{},"extensions":{"x/y":{"z":1.0}}}',
};

describe('the description of a client', () => {
  const envelopes = new ClientEnvelopes(MUX);

  it('is in a request that had none, and all else is as it was', () => {
    const description = envelopes.descriptionFor(profile, { tasks: 'without', logLevel: 'info' });
    fc.assert(
      fc.property(line, (bytes) => {
        const made = splice(bytes, description.insertionEdits(request(bytes))).toString();
        const slow = splice(bytes, envelopeEdits(bytes, description.members)).toString();
        expect(JSON.parse(made)).toEqual(JSON.parse(slow));
        expect(made).toHaveLength(slow.length);
      }),
    );
  });

  it('names mcpmux in a request that had one, and leaves what the client declares as it is written', () => {
    const bytes = modern(WRITTEN);
    const made = splice(
      bytes,
      envelopes.descriptionFor(profile, {}).replacementEdits(request(bytes)),
    ).toString();
    expect(made).toBe(`${modern({ ...WRITTEN, [CLIENT_META_KEYS.info]: JSON.stringify(MUX) }).toString()}\n`);
  });

  it('is without what the server may not ask for, and without what only the other era has', () => {
    const bytes = modern(WRITTEN);
    const denied = envelopes.descriptionFor(profile, { deniedKinds: ['sampling'] });
    const made = splice(bytes, denied.replacementEdits(request(bytes))).toString();
    expect(described(made)[CLIENT_META_KEYS.capabilities]).not.toHaveProperty('sampling');
    const withRoots = { ...profile, capabilities: { roots: { listChanged: true } } };
    const rooted = splice(
      bytes,
      envelopes.descriptionFor(withRoots, {}).replacementEdits(request(bytes)),
    ).toString();
    expect(described(rooted)[CLIENT_META_KEYS.capabilities]).toEqual({ roots: {} });
  });

  it('is added where a client forgot its name', () => {
    const { [CLIENT_META_KEYS.info]: _, ...others } = WRITTEN;
    const bytes = modern(others);
    const made = splice(
      bytes,
      envelopes.descriptionFor(profile, {}).replacementEdits(request(bytes)),
    ).toString();
    expect(described(made)[CLIENT_META_KEYS.info]).toEqual(MUX);
  });
});
