import { isRecord } from '../wire/is-record.js';
import type { Definition } from './definition.js';

type Check = (item: Readonly<Record<string, unknown>>) => string | undefined;

/** Members that clients want to be texts, where they are there at all. */
const TEXTS = ['title', 'description', 'mimeType'];

/** What each kind of entry must have beside its key, by the `noun` of its list. */
const CHECKS: Readonly<Record<string, Check>> = {
  tool: (tool) =>
    schemaProblem(tool, 'inputSchema', true) ??
    schemaProblem(tool, 'outputSchema', false) ??
    hintProblem(tool['annotations']),
  prompt: ({ arguments: args }) =>
    args === undefined || (Array.isArray(args) && args.every((arg) => hasText(arg, 'name')))
      ? undefined
      : 'its arguments are no list of objects with a name',
  resource: nameProblem,
  'resource template': nameProblem,
};

/**
 * What is wrong with an entry of a list, in half a sentence; `undefined` when nothing is.
 *
 * Clients built on the official SDKs check a list as a whole: one such entry makes them refuse all others, those of
 * other servers too. So it is taken out alone.
 */
export function definitionProblem({ bytes }: Definition, noun: string): string | undefined {
  const item: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isRecord(item)) return 'it is no object';
  return commonProblem(item) ?? CHECKS[noun]?.(item);
}

function commonProblem(item: Readonly<Record<string, unknown>>): string | undefined {
  const noText = TEXTS.find((key) => item[key] !== undefined && typeof item[key] !== 'string');
  if (noText !== undefined) return `its ${noText} is not a text`;
  const noObject = ['annotations', '_meta', 'execution'].find(
    (key) => item[key] !== undefined && !isRecord(item[key]),
  );
  if (noObject !== undefined) return `its ${noObject} is not an object`;
  const { icons } = item;
  if (icons === undefined || (Array.isArray(icons) && icons.every((icon) => hasText(icon, 'src'))))
    return undefined;
  return 'its icons are no list of objects with a src';
}

function schemaProblem(
  tool: Readonly<Record<string, unknown>>,
  key: string,
  isRequired: boolean,
): string | undefined {
  const schema = tool[key];
  if (schema === undefined) return isRequired ? `it has no ${key}` : undefined;
  if (!isRecord(schema)) return `its ${key} is not an object`;
  if (schema['type'] !== 'object') return `its ${key} does not have the type "object"`;
  const { properties, required } = schema;
  if (properties !== undefined && !(isRecord(properties) && Object.values(properties).every(isRecord)))
    return `the properties of its ${key} are not all objects`;
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === 'string'))
  )
    return `"required" of its ${key} is no list of names`;
  return undefined;
}

function hintProblem(annotations: unknown): string | undefined {
  if (!isRecord(annotations)) return undefined;
  const wrong = Object.keys(annotations).find(
    (key) => key.endsWith('Hint') && typeof annotations[key] !== 'boolean',
  );
  return wrong === undefined ? undefined : `its annotation ${wrong} is neither true nor false`;
}

function nameProblem(item: Readonly<Record<string, unknown>>): string | undefined {
  return hasText(item, 'name') ? undefined : 'it has no name';
}

function hasText(item: unknown, key: string): boolean {
  return isRecord(item) && typeof item[key] === 'string';
}
