import { isObject, type JsonObject } from '@mcpmux/clients';

import { suggest } from '../config/suggest.js';
import { ExitCode } from '../exit-code.js';
import { CommandError } from '../terminal/command-error.js';

/**
 * Arguments of a tool from words such as `limit=5`. The schema tells what becomes a number, a list or a flag; `key:=json`
 * takes JSON as it is.
 *
 * @throws CommandError USAGE
 */
export function callArguments(words: readonly string[], inputSchema: unknown): JsonObject {
  const properties =
    isObject(inputSchema) && isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  return Object.fromEntries(words.map((word) => argument(word, properties)));
}

function argument(word: string, properties: JsonObject): readonly [string, unknown] {
  const { key, raw, text } = /^(?<key>[^=:]+)(?<raw>:)?=(?<text>.*)$/s.exec(word)?.groups ?? {};
  if (key === undefined || text === undefined) {
    throw usage(`"${word}" is no argument.`, 'write NAME=VALUE, or all at once: --args \'{"NAME":"VALUE"}\'');
  }
  if (Object.keys(properties).length > 0 && !Object.hasOwn(properties, key)) {
    const meant = suggest(key, Object.keys(properties));
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    throw usage(
      `the tool has no argument "${key}".${hint}`,
      `its arguments are: ${Object.keys(properties).join(', ')}`,
    );
  }
  return [key, raw === undefined ? coerced(key, text, properties[key]) : json(key, text)];
}

function coerced(key: string, text: string, schema: unknown): unknown {
  const type = isObject(schema) ? schema['type'] : undefined;
  switch (type) {
    case 'number':
    case 'integer': {
      const value = Number(text);
      if (text.trim() !== '' && Number.isFinite(value)) return value;
      throw usage(`"${key}" is a number.`, `${key}=5`);
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw usage(`"${key}" is true or false.`, `${key}=true`);
    case 'array':
      return text.trimStart().startsWith('[') ? json(key, text) : text.split(',');
    case 'object':
      return json(key, text);
    case 'string':
      return text;
    default:
      return /^(?:[[{]|true$|false$|null$|-?\d+(?:\.\d+)?$)/.test(text) ? json(key, text) : text;
  }
}

function json(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`the value of "${key}" is no JSON.`, `${key}='{"a":1}'`);
  }
}

function usage(message: string, next: string): CommandError {
  return new CommandError({ code: 'USAGE', exitCode: ExitCode.Usage, message, next });
}
