import { parse, type ParseError } from 'jsonc-parser';

import type { Json } from './connection.js';
import { isJson } from './values.js';

/** Programs that run a package. The server then gets the name of the package. */
const RUNNERS: ReadonlySet<string> = new Set(['npx', 'uvx', 'bunx', 'docker', 'node', 'python', 'python3']);

/**
 * Returns the entries that a text describes. The text is a pasted config, a part of a config, a URL or a command.
 *
 * @throws Error for any other text
 */
export function entriesOf(name: string, text: string): Json {
  const target = text.trim();
  if (target === '') throw new Error('The command or url is missing.');
  if (target.startsWith('{') || target.startsWith('"')) return pasted(name, target);
  if (/^https?:\/\//.test(target)) return { [name || nameOfUrl(target)]: { type: 'http', url: target } };
  const [command = '', ...args] = words(target);
  return { [name || nameOfCommand(command, args)]: { command, ...(args.length > 0 && { args }) } };
}

/** Parses a whole config, its block of servers, one named entry, or a bare entry. */
function pasted(name: string, text: string): Json {
  const value = parsed(text);
  const block = value['mcpServers'] ?? value['servers'] ?? value;
  if (!isJson(block)) throw new Error('The block of servers is not an object.');
  const isEntry = typeof block['command'] === 'string' || typeof block['url'] === 'string';
  if (!isEntry) return block;
  if (name === '') throw new Error('The entry needs a name.');
  return { [name]: block };
}

function parsed(text: string): Json {
  for (const candidate of [text, `{${text}}`]) {
    const errors: ParseError[] = [];
    const value: unknown = parse(candidate, errors, { allowTrailingComma: true });
    if (errors.length === 0 && isJson(value)) return value;
  }
  throw new Error('The pasted text is not JSON.');
}

/** Returns the words of a command line, with quotes as in a shell. */
export function words(line: string): readonly string[] {
  const found = line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''),
  );
}

function nameOfUrl(url: string): string {
  const labels = new URL(url).hostname.replace(/^(?:mcp|api|www)\./, '').split('.');
  return labels.length > 1 ? (labels.at(-2) ?? '') : (labels[0] ?? '');
}

function nameOfCommand(command: string, args: readonly string[]): string {
  const program = RUNNERS.has(command) ? (args.find((arg) => !arg.startsWith('-')) ?? command) : command;
  const last = program.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const plain = last.replace(/(?!^)@.*$/, '').replace(/\.\w+$/, '');
  return plain.replace(/^(?:mcp-server-|server-|mcp-)/, '').replaceAll(/[^\w-]/g, '-') || 'server';
}
