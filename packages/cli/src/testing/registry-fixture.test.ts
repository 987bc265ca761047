import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

type Json = Readonly<Record<string, unknown>>;

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
/** Entries that are wrong on purpose, as other registries may have them. */
const WRONG: ReadonlySet<unknown> = new Set([undefined, 'com.example/remote-files']);
const FIXTURE = JSON.parse(readFileSync(new URL('registry-fixture.json', import.meta.url), 'utf8')) as {
  readonly pages: Readonly<Record<string, { readonly servers: readonly Json[]; readonly metadata: Json }>>;
};
const PAGES = Object.values(FIXTURE.pages);
const ENTRIES = PAGES.flatMap(({ servers }) => servers);

function listIn(value: Json, member: string): readonly Json[] {
  return (value[member] ?? []) as readonly Json[];
}

/** The faults of an input by the rules of the official registry, schema 2025-12-11. */
function faultsOfInput(input: Json, isArgument: boolean): readonly string[] {
  const { name, type, value, valueHint, format = 'string', variables = {} } = input;
  const faults: string[] = [];
  const formats = ['string', 'number', 'boolean', 'filepath'];
  if (!formats.includes(String(format))) faults.push(`format ${String(format)}`);
  if (!isArgument || type === 'named') {
    if (typeof name !== 'string') faults.push('no name');
  } else if (type !== 'positional') faults.push(`type ${String(type)}`);
  else if (value === undefined && valueHint === undefined) faults.push('neither value nor valueHint');
  return [
    ...faults,
    ...Object.values(variables as Json).flatMap((one) =>
      faultsOfInput({ name: '', ...(one as Json) }, false),
    ),
  ];
}

function faultsOfPackage(pack: Json): readonly string[] {
  const { transport, version = '1', fileSha256 = 'a'.repeat(64) } = pack;
  const { type, url } = (transport ?? {}) as Json;
  return [
    ...(type === 'stdio' || typeof url === 'string' ? [] : ['no transport']),
    ...(version === 'latest' ? ['version latest'] : []),
    ...(/^[a-f0-9]{64}$/.test(String(fileSha256)) ? [] : ['fileSha256']),
    ...['runtimeArguments', 'packageArguments'].flatMap((all) =>
      listIn(pack, all).flatMap((one) => faultsOfInput(one, true)),
    ),
    ...listIn(pack, 'environmentVariables').flatMap((one) => faultsOfInput(one, false)),
  ];
}

function faultsOfRemote(remote: Json): readonly string[] {
  const { type, url } = remote;
  const isKnown = type === 'streamable-http' || type === 'sse';
  const isAddress = /^(?:https?:\/\/\S+|\{[A-Za-z_]\w*\}\S*)$/.test(String(url));
  return [
    ...(isKnown ? [] : [`type ${String(type)}`]),
    ...(isAddress ? [] : ['url']),
    ...listIn(remote, 'headers').flatMap((one) => faultsOfInput(one, false)),
  ];
}

it.each(ENTRIES.map((entry): [unknown, Json] => [(entry['server'] as Json | undefined)?.['name'], entry]))(
  'the entry %s has the shape of the official registry, unless it is wrong on purpose',
  (name, entry) => {
    const { server = {}, _meta: meta = {} } = entry as { readonly server?: Json; readonly _meta?: Json };
    const faults = [
      ...(/^[\w.-]+\/[\w.-]+$/.test(String(name)) ? [] : ['name']),
      ...(/^.{1,100}$/.test(String(server['description'])) ? [] : ['description']),
      ...(typeof server['version'] === 'string' ? [] : ['version']),
      ...listIn(server, 'packages').flatMap(faultsOfPackage),
      ...listIn(server, 'remotes').flatMap(faultsOfRemote),
    ];
    expect(faults.length > 0).toBe(WRONG.has(name));
    if (WRONG.has(name)) return;
    const members = ['status', 'statusMessage', 'statusChangedAt', 'publishedAt', 'updatedAt', 'isLatest'];
    const official = meta[OFFICIAL] as Json;
    expect(members).toEqual(expect.arrayContaining(Object.keys(official)));
    expect(['active', 'deprecated', 'deleted']).toContain(official['status']);
  },
);

it('each page counts its entries, and the cursor of each but the last leads to the next', () => {
  expect(PAGES.map(({ metadata }) => metadata['count'])).toEqual(PAGES.map(({ servers }) => servers.length));
  const cursors = PAGES.map(({ metadata }) => metadata['nextCursor']);
  expect(cursors).toEqual([...Object.keys(FIXTURE.pages).slice(1), undefined]);
});
