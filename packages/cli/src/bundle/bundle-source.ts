import { posix, resolve } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';
import { literalText } from '@mcpmux/config';

import { valuesIn } from '../registry/input-value.js';
import { joinedText } from '../registry/joined-text.js';
import type { Given, SourceInput, UsableSource } from '../registry/server-source.js';
import type { BundleField, BundleManifest } from './bundle-manifest.js';

/** Where a bundle is unpacked, and on which system. */
export interface BundlePlace {
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}

const PLACEHOLDER = /(\$\{[^{}]*\})/;
const OF_USER = /^\$\{user_config\.([^{}]+)\}$/;
/** The names of a manifest for places, as a config of mcpmux has them. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['${HOME}', '${userHome}'],
  ['${DESKTOP}', '${userHome}${/}Desktop'],
  ['${DOCUMENTS}', '${userHome}${/}Documents'],
  ['${DOWNLOADS}', '${userHome}${/}Downloads'],
  ['${pathSeparator}', '${/}'],
  ['${/}', '${/}'],
]);
const FORMATS = { number: 'number', boolean: 'boolean', directory: 'filepath', file: 'filepath' } as const;

/**
 * Returns how the server of a bundle is run.
 *
 * @throws Error with a sentence about the problem
 */
export function bundleSource(manifest: BundleManifest, place: BundlePlace): UsableSource {
  const { platforms } = manifest.compatibility ?? {};
  if (platforms !== undefined && !platforms.includes(place.platform))
    throw new Error(`it runs only on ${platforms.join(', ')}`);
  const fields = Object.entries(manifest.user_config ?? {});
  const inputs = new Map(fields.map(([key, field]) => [key, inputOf(key, field)]));
  return {
    kind: 'package',
    label: `${manifest.name} ${manifest.version}`,
    inputs: [...inputs.values()],
    risks: [],
    entry: (given) => new BundleText(place, inputs, given).entry(manifest),
  };
}

function inputOf(key: string, { type, title, description, ...rest }: BundleField): SourceInput {
  const { default: value } = rest;
  const all = value === undefined ? [] : [value].flat();
  const isSecret = rest.sensitive === true && type === 'string';
  return {
    id: key.replaceAll(/\W/g, '_'),
    description: [title, description].filter((text) => text !== undefined).join(': '),
    isRequired: rest.required === true,
    isSecret,
    fallback: all.length === 0 ? undefined : all.map((one) => placesIn(String(one))).join('\n'),
    ...(type !== 'string' && { format: FORMATS[type] }),
    ...(rest.multiple === true && { isRepeated: true }),
  };
}

/** Returns a text of the manifest for a config. Only names of places are replaced; all other text stays as it is. */
function placesIn(text: string): string {
  const parts = text.split(PLACEHOLDER);
  return joinedText(
    parts,
    parts.map((part) => PLACES.get(part)),
  );
}

/** Replaces placeholders. The rest of the text cannot refer to variables, files or secrets of the person. */
function literally(text: string, known: (placeholder: string) => string | undefined): string {
  const parts = text.split(PLACEHOLDER);
  const values = parts.map(known);
  return values.every((value) => value === undefined) ? literalText(text) : joinedText(parts, values);
}

/** The strings of a manifest with the values that a person has given. */
class BundleText {
  constructor(
    private readonly place: BundlePlace,
    private readonly inputs: ReadonlyMap<string, SourceInput>,
    private readonly given: Given,
  ) {}

  entry({ server }: BundleManifest): JsonObject {
    const { type, entry_point: entryPoint = '', mcp_config: all } = server;
    const { folder, platform } = this.place;
    const own = all?.platform_overrides?.[platform] ?? {};
    const command = own.command ?? all?.command;
    if (command === undefined) {
      if (type !== 'uv') throw new Error('its manifest.json has no mcp_config.command');
      return { command: 'uv', args: ['run', '--directory', this.text(folder), this.text(entryPoint)] };
    }
    const env = Object.entries({ ...all?.env, ...own.env }).flatMap(([name, text]) => {
      const value = this.valueIn(text, ',');
      return value === undefined ? [] : [[name, value] as const];
    });
    const args = (own.args ?? all?.args ?? []).flatMap((arg) => this.words(arg));
    return {
      command: this.program(command),
      ...(args.length > 0 && { args }),
      ...(env.length > 0 && { env: Object.fromEntries(env) }),
      cwd: this.text(folder),
    };
  }

  /** Returns the program. A path begins at the folder of the bundle. */
  private program(command: string): string {
    const text = this.valueIn(command, ' ') ?? '';
    const isPath = text.includes('/') && !posix.isAbsolute(text) && !text.startsWith('$');
    return isPath && command === text ? this.text(resolve(this.place.folder, text)) : text;
  }

  /** Returns the arguments of one in the manifest: one for each value of a field, and none for one without a value. */
  private words(arg: string): readonly string[] {
    const field = OF_USER.exec(arg)?.[1];
    if (field !== undefined) return this.valuesOf(field);
    const value = this.valueIn(arg, ',');
    return value === undefined ? [] : [value];
  }

  /** Returns a text with its placeholders replaced; undefined if it names a field without a value. */
  private valueIn(text: string, separator: string): string | undefined {
    let isComplete = true;
    const replaced = literally(text, (placeholder) => {
      if (placeholder === '${__dirname}') return this.text(this.place.folder);
      const field = OF_USER.exec(placeholder)?.[1];
      if (field === undefined) return PLACES.get(placeholder);
      const values = this.valuesOf(field);
      isComplete &&= values.length > 0;
      return values.join(separator);
    });
    return isComplete ? replaced : undefined;
  }

  private valuesOf(field: string): readonly string[] {
    const input = this.inputs.get(field);
    const value = input && this.given(input);
    if (value === undefined) return [];
    return input?.isRepeated === true ? valuesIn(value) : [value];
  }

  private text(text: string): string {
    return literalText(text);
  }
}
