// The keys of a config and the tools of mcpmux, as the built program knows them: the site shows them below docs/config.md and
// the README of the command.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'docs', version: '1' },
};

/** A page with one row for each key of a config file. */
export function keysPage(root) {
  const schema = JSON.parse(readFileSync(join(root, 'packages/cli/schema/mcpmux.schema.json'), 'utf8'));
  return page('## All keys', table('key', rowsOf(schema, '')));
}

/** A page with one section for each tool of mcpmux. */
export function toolsPage(root) {
  const sections = ownTools(root).map(({ name, description, inputSchema }) =>
    page(`#### ${name}`, description, table('argument', rowsOf(inputSchema, ''))),
  );
  return page('### Arguments of all tools', ...sections);
}

function page(...parts) {
  return parts
    .filter((part) => part !== '')
    .map((part) => part.trimEnd())
    .join('\n\n')
    .concat('\n');
}

/** The tools that mcpmux lists by itself, with all that a config or an option adds. */
function ownTools(root) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-docs-'));
  try {
    // the config of the user: of another one, add_server saves nothing
    const config = join(folder, '.config', 'mcpmux', 'config.json');
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, JSON.stringify({ mcpServers: {}, guards: { largeResults: {} } }));
    return listTools(root, ['serve', '--code-mode', '--log-level', 'silent'], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function listTools(root, args, folder) {
  const input = [
    { id: 1, method: 'initialize', params: INITIALIZE },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/bin/mcpmux.cjs'), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
      input: input.join(''),
    },
  );
  if (status !== 0) throw new Error(`mcpmux ${args.join(' ')} ended with ${status}`);
  const answers = stdout.split('\n').filter(Boolean).map(JSON.parse);
  return answers.find(({ id }) => id === 2).result.tools;
}

function table(first, rows) {
  return rows.length === 0
    ? ''
    : [`| ${first} | meaning | values |`, '| --- | --- | --- |', ...rows].join('\n');
}

/** A row for each property, with the path that leads to it. */
function rowsOf(schema, path) {
  const { properties = {}, additionalProperties, items } = objectIn(schema);
  const named = Object.entries(properties).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [`| \`${at}\` | ${meaning(value)} | ${values(value)} |`].concat(rowsOf(value, at));
  });
  const others = [
    ...(typeof additionalProperties === 'object' ? rowsOf(additionalProperties, `${path}.NAME`) : []),
    ...(items === undefined ? [] : rowsOf(items, `${path}[]`)),
  ];
  return [...named, ...others];
}

/** The alternative that has properties: a setting for several targets is an object, or a list of these. */
function objectIn(schema) {
  const alternatives = schema.anyOf ?? [schema];
  return alternatives.find(({ properties }) => properties !== undefined) ?? alternatives.at(-1);
}

function meaning({ description = '' }) {
  return description.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function values(schema) {
  const { enum: words, const: word, anyOf, items, type = '' } = schema;
  if (anyOf !== undefined) return [...new Set(anyOf.map(values))].filter((text) => text !== '').join(' or ');
  if (word !== undefined) return `\`${word}\``;
  if (words !== undefined) return words.map((one) => `\`${one}\``).join(', ');
  const each = items === undefined ? '' : values(items);
  return each === '' ? type : `${type} of ${each}`;
}
