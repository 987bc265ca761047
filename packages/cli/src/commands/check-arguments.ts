import { Validator } from '@cfworker/json-schema';
import type { JsonObject } from '@mcpmux/clients';

/** JSON Schema keywords whose errors only report that a nested schema failed. */
const WRAPPER_KEYWORDS: ReadonlySet<string> = new Set([
  '$ref',
  'additionalProperties',
  'allOf',
  'items',
  'prefixItems',
  'properties',
]);

/**
 * Returns one sentence for each mismatch between the arguments and a tool's input schema. If the schema is invalid,
 * returns an empty list and leaves the check to the server.
 */
export function argumentProblems(args: JsonObject, inputSchema: JsonObject): readonly string[] {
  try {
    // `$schema` is dropped, because the validator always applies draft 2020-12.
    const { $schema: _draft, ...schema } = inputSchema;
    const { errors } = new Validator(schema, '2020-12', false).validate(args);
    const problems = errors.flatMap(({ keyword, instanceLocation, error }) => {
      if (WRAPPER_KEYWORDS.has(keyword)) return [];
      return [problemSentence(argumentPath(instanceLocation), keyword, error)];
    });
    return [...new Set(problems)];
  } catch {
    return [];
  }
}

/** Converts an error's JSON Pointer to a dotted path, for example `#/a/0/b` to `a.0.b`. */
function argumentPath(location: string): string {
  return location
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function problemSentence(name: string, keyword: string, error: string): string {
  if (keyword === 'false') return `"${name}" is no argument`;
  if (keyword === 'required') {
    const missingProperty = /"(?<property>.*)"\.$/s.exec(error)?.groups?.['property'] ?? '';
    return `"${name === '' ? missingProperty : `${name}.${missingProperty}`}" is missing`;
  }
  const problem = error
    .replace(/^Instance does not match any of/, 'must be one of')
    .replace(/^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/, 'must be of type $2, and is of type $1')
    .replace(/^Instance /, '')
    .replace(/\.$/, '');
  return name === '' ? problem : `"${name}": ${problem}`;
}
