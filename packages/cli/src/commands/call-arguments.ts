import { parsedJson } from '@mcpmux/core';
import { isObject, type JsonObject } from '@mcpmux/clients';
import { didYouMean } from '@mcpmux/config/find';

import { usageError } from '../terminal/command-error.js';

/**
 * Parses words such as `limit=5` into the arguments of a tool. The schema decides which values become numbers, lists or
 * booleans. `key:=json` passes JSON.
 *
 * @throws CommandError USAGE
 */
export function parseCallArguments(words: readonly string[], inputSchema: unknown): JsonObject {
  const properties =
    isObject(inputSchema) && isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  return Object.fromEntries(words.map((word) => parseArgument(word, properties)));
}

function parseArgument(word: string, properties: JsonObject): readonly [string, unknown] {
  const { key, raw, text } = /^(?<key>[^=:]+)(?<raw>:)?=(?<text>.*)$/s.exec(word)?.groups ?? {};
  if (key === undefined || text === undefined) {
    throw usageError(
      `"${word}" is no argument.`,
      'write NAME=VALUE, or pass JSON: --args \'{"NAME":"VALUE"}\'',
    );
  }
  if (Object.keys(properties).length > 0 && !Object.hasOwn(properties, key)) {
    const names = Object.keys(properties);
    const message = `the tool has no argument "${key}".${didYouMean(key, names)}`;
    throw usageError(message, `the arguments are: ${names.join(', ')}`);
  }
  return [key, raw === undefined ? coerceValue(key, text, properties[key]) : parseJsonValue(key, text)];
}

function coerceValue(key: string, text: string, schema: unknown): unknown {
  const type = isObject(schema) ? schema['type'] : undefined;
  switch (type) {
    case 'number':
    case 'integer': {
      const value = Number(text);
      if (text.trim() !== '' && Number.isFinite(value)) return value;
      throw usageError(`"${key}" must be a number.`, `${key}=5`);
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw usageError(`"${key}" must be true or false.`, `${key}=true`);
    case 'array':
      return text.trimStart().startsWith('[') ? parseJsonValue(key, text) : text.split(',');
    case 'object':
      return parseJsonValue(key, text);
    case 'string':
      return text;
    default:
      return /^(?:[[{]|true$|false$|null$|-?\d+(?:\.\d+)?$)/.test(text) ? parseJsonValue(key, text) : text;
  }
}

function parseJsonValue(key: string, text: string): unknown {
  const value = parsedJson(text);
  if (value === undefined) throw usageError(`the value of "${key}" is not valid JSON.`, `${key}='{"a":1}'`);
  return value;
}
