import { specTypeSchemas } from '@modelcontextprotocol/client';
import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { readPage } from './definition.js';
import { definitionProblem } from './definition-problem.js';
import { LIST_KINDS, LISTS, type ListKind } from './list-kind.js';

const VERSION_1 = {
  tools: ListToolsResultSchema,
  prompts: ListPromptsResultSchema,
  resources: ListResourcesResultSchema,
  resourceTemplates: ListResourceTemplatesResultSchema,
};

const VERSION_2 = {
  tools: specTypeSchemas.ListToolsResult,
  prompts: specTypeSchemas.ListPromptsResult,
  resources: specTypeSchemas.ListResourcesResult,
  resourceTemplates: specTypeSchemas.ListResourceTemplatesResult,
};

/** A value that is mostly of the kind it should be. */
function mostly(kind: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: kind }, fc.jsonValue({ maxDepth: 2 }));
}

function members(model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const kinds = Object.fromEntries(Object.entries(model).map(([key, kind]) => [key, mostly(kind)]));
  return fc.record({ ...kinds }, { requiredKeys: [] });
}

const text = fc.string({ maxLength: 3 });
const key = fc.oneof(text, fc.constantFrom('constructor', '__proto__', 'toString', 'prototype'));
const object = fc.dictionary(key, mostly(members({})), { maxKeys: 3 });
// `$schema` is left out: clients of the revision 2026-07-28 want it to be a text, and the others do not care.
const schema = fc
  .tuple(members({ properties: object, required: fc.array(text) }), mostly(fc.constant('object')))
  .map(([rest, type]) => Object.assign({ type }, rest));
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2025-01-12', '2025-01-12T15:00:58', '2025-01-12T15:00:58+01:00', '2025-02-30T00:00:00Z'),
);
const hint = fc.boolean();
const annotations = members({
  title: text,
  readOnlyHint: hint,
  destructiveHint: hint,
  idempotentHint: hint,
  openWorldHint: hint,
  vendorHint: text,
  audience: fc.array(fc.constantFrom('user', 'assistant', 'model'), { maxLength: 2 }),
  priority: fc.constantFrom(0, 0.5, 1, 1.5),
  lastModified: time,
});
const icon = members({
  mimeType: text,
  sizes: fc.array(text, { maxLength: 2 }),
  theme: fc.constantFrom('light', 'dark', 'sepia'),
}).chain((rest) => mostly(text).map((src) => Object.assign({ src }, rest)));
const argument = members({ description: text, required: hint }).chain((rest) =>
  text.map((name) => Object.assign({ name }, rest)),
);
const entry = members({
  title: text,
  description: text,
  icons: fc.array(icon, { maxLength: 2 }),
  _meta: object,
  outputSchema: schema,
  annotations,
  execution: members({ taskSupport: fc.constantFrom('required', 'optional', 'forbidden', 'no') }),
  arguments: fc.array(mostly(argument), { maxLength: 2 }),
  mimeType: text,
  size: fc.double(),
}).chain((rest) =>
  fc
    .tuple(mostly(text), mostly(schema))
    .map(([name, inputSchema]) => Object.assign({ name, inputSchema, uri: 'u', uriTemplate: 't' }, rest)),
);

async function acceptedByClients(kind: ListKind, result: unknown): Promise<boolean> {
  const second = await Promise.resolve(VERSION_2[kind]['~standard'].validate(result));
  return VERSION_1[kind].safeParse(result).success && second.issues === undefined;
}

describe('an entry of a list', () => {
  it.each(LIST_KINDS)(
    'S10: is let through exactly when the clients of both SDKs accept a list of %s with it',
    async (kind) => {
      const spec = LISTS[kind];
      await fc.assert(
        fc.asyncProperty(entry, async (item) => {
          const line = Buffer.from(JSON.stringify({ [spec.member]: [item] }));
          const [read] = readPage(line, { start: 0, end: line.length }, spec)?.items ?? [];
          fc.pre(read !== undefined);
          const isAccepted = await acceptedByClients(kind, JSON.parse(line.toString('utf8')));
          expect(definitionProblem(read, spec.noun) === undefined).toBe(isAccepted);
        }),
        propertyRuns(100),
      );
    },
  );
});
