import { isObject } from '../json/json-object.js';

/** JSON on one line, with spaces as people write it. */
export function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Space and comments, up to a comma. */
export const COMMA = /^((?:\s|\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/)*),/;
