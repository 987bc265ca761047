import { Validator } from '@cfworker/json-schema';
import type { JsonObject } from '@mcpmux/clients';

/** Errors that only lead to the errors below them. */
const LEADING: ReadonlySet<string> = new Set([
  '$ref',
  'additionalProperties',
  'allOf',
  'items',
  'prefixItems',
  'properties',
]);

/**
 * Returns the arguments that do not match the input schema of a tool: one sentence each. Empty for a schema that cannot
 * be read: the server decides then.
 */
export function unfitArguments(args: JsonObject, inputSchema: JsonObject): readonly string[] {
  try {
    // The draft that a schema names may be any.
    const { $schema: _draft, ...schema } = inputSchema;
    const { errors } = new Validator(schema, '2020-12', false).validate(args);
    const sentences = errors.flatMap(({ keyword, instanceLocation, error }) => {
      if (LEADING.has(keyword)) return [];
      return [sentence(nameAt(instanceLocation), keyword, error)];
    });
    return [...new Set(sentences)];
  } catch {
    return [];
  }
}

/** `#/a/0/b` is `a.0.b`. */
function nameAt(location: string): string {
  return location
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function sentence(name: string, keyword: string, error: string): string {
  if (keyword === 'false') return `"${name}" is no argument`;
  if (keyword === 'required') {
    const missing = /"(?<property>.*)"\.$/s.exec(error)?.groups?.['property'] ?? '';
    return `"${name === '' ? missing : `${name}.${missing}`}" is missing`;
  }
  const what = error
    .replace(/^Instance does not match any of/, 'must be one of')
    .replace(/^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/, 'must be of type $2, and is of type $1')
    .replace(/^Instance /, '')
    .replace(/\.$/, '');
  return name === '' ? what : `"${name}": ${what}`;
}
