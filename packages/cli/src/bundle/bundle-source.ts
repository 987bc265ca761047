import { posix, resolve } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';
import { literalText } from '@mcpmux/config';

import { splitValues } from '../registry/input-value.js';
import { joinedText } from '../registry/joined-text.js';
import type { InputValueSource, SourceInput, UsableSource } from '../registry/server-source.js';
import type { BundleField, BundleManifest } from './bundle-manifest.js';

/** The folder and platform of an unpacked bundle. */
export interface BundleLocation {
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}

const PLACEHOLDER = /(\$\{[^{}]*\})/;
const USER_FIELD_PLACEHOLDER = /^\$\{user_config\.([^{}]+)\}$/;
/** The manifest's placeholders for folders, each with the text that replaces it in an mcpmux config. */
const FOLDER_PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ['${HOME}', '${userHome}'],
  ['${DESKTOP}', '${userHome}${/}Desktop'],
  ['${DOCUMENTS}', '${userHome}${/}Documents'],
  ['${DOWNLOADS}', '${userHome}${/}Downloads'],
  ['${pathSeparator}', '${/}'],
  ['${/}', '${/}'],
]);
const FORMATS = { number: 'number', boolean: 'boolean', directory: 'filepath', file: 'filepath' } as const;

/**
 * Returns a bundle's server as a source that mcpmux can run.
 *
 * @throws Error that describes the problem
 */
export function bundleSource(manifest: BundleManifest, place: BundleLocation): UsableSource {
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
    entry: (given) => new BundleEntryBuilder(place, inputs, given).buildEntry(manifest),
  };
}

function inputOf(key: string, { type, title, description, ...rest }: BundleField): SourceInput {
  const { default: value } = rest;
  const defaults = value === undefined ? [] : [value].flat();
  const isSecret = rest.sensitive === true && type === 'string';
  return {
    id: key.replaceAll(/\W/g, '_'),
    description: [title, description].filter((text) => text !== undefined).join(': '),
    isRequired: rest.required === true,
    isSecret,
    fallback: defaults.length === 0 ? undefined : defaults.map((one) => withFolders(String(one))).join('\n'),
    ...(type !== 'string' && { format: FORMATS[type] }),
    ...(rest.multiple === true && { isRepeated: true }),
  };
}

/** Converts a manifest string to config syntax. Replaces only the placeholders for folders. */
function withFolders(text: string): string {
  const parts = text.split(PLACEHOLDER);
  return joinedText(
    parts,
    parts.map((part) => FOLDER_PLACEHOLDERS.get(part)),
  );
}

/**
 * Replaces placeholders, and escapes all other text so that it cannot refer to the user's variables, files or secrets.
 */
function replacePlaceholders(text: string, valueOf: (placeholder: string) => string | undefined): string {
  const parts = text.split(PLACEHOLDER);
  const values = parts.map(valueOf);
  return values.every((value) => value === undefined) ? literalText(text) : joinedText(parts, values);
}

/** Replaces the placeholders in a manifest's strings with the user's values. */
class BundleEntryBuilder {
  constructor(
    private readonly location: BundleLocation,
    private readonly inputs: ReadonlyMap<string, SourceInput>,
    private readonly inputValue: InputValueSource,
  ) {}

  buildEntry({ server }: BundleManifest): JsonObject {
    const { type, entry_point: entryPoint = '', mcp_config: config } = server;
    const { folder, platform } = this.location;
    const platformConfig = config?.platform_overrides?.[platform] ?? {};
    const command = platformConfig.command ?? config?.command;
    if (command === undefined) {
      if (type !== 'uv') throw new Error('its manifest.json has no mcp_config.command');
      return { command: 'uv', args: ['run', '--directory', this.literal(folder), this.literal(entryPoint)] };
    }
    const env = Object.entries({ ...config?.env, ...platformConfig.env }).flatMap(([name, text]) => {
      const value = this.expandText(text, ',');
      return value === undefined ? [] : [[name, value] as const];
    });
    const args = (platformConfig.args ?? config?.args ?? []).flatMap((arg) => this.expandArgument(arg));
    return {
      command: this.resolveProgram(command),
      ...(args.length > 0 && { args }),
      ...(env.length > 0 && { env: Object.fromEntries(env) }),
      cwd: this.literal(folder),
    };
  }

  /** Returns the program to run. Resolves a relative path against the bundle's folder. */
  private resolveProgram(command: string): string {
    const expandedCommand = this.expandText(command, ' ') ?? '';
    const isRelativePath =
      expandedCommand.includes('/') && !posix.isAbsolute(expandedCommand) && !expandedCommand.startsWith('$');
    return isRelativePath && command === expandedCommand
      ? this.literal(resolve(this.location.folder, expandedCommand))
      : expandedCommand;
  }

  /** Expands an argument of the manifest. A field becomes one argument for each of its values. */
  private expandArgument(arg: string): readonly string[] {
    const fieldName = USER_FIELD_PLACEHOLDER.exec(arg)?.[1];
    if (fieldName !== undefined) return this.valuesOfField(fieldName);
    const value = this.expandText(arg, ',');
    return value === undefined ? [] : [value];
  }

  /** Replaces the placeholders in a text. Returns undefined if the text refers to a field without a value. */
  private expandText(text: string, separator: string): string | undefined {
    let isComplete = true;
    const expandedText = replacePlaceholders(text, (placeholder) => {
      if (placeholder === '${__dirname}') return this.literal(this.location.folder);
      const fieldName = USER_FIELD_PLACEHOLDER.exec(placeholder)?.[1];
      if (fieldName === undefined) return FOLDER_PLACEHOLDERS.get(placeholder);
      const fieldValues = this.valuesOfField(fieldName);
      isComplete &&= fieldValues.length > 0;
      return fieldValues.join(separator);
    });
    return isComplete ? expandedText : undefined;
  }

  private valuesOfField(field: string): readonly string[] {
    const input = this.inputs.get(field);
    const value = input && this.inputValue(input);
    if (value === undefined) return [];
    return input?.isRepeated === true ? splitValues(value) : [value];
  }

  private literal(text: string): string {
    return literalText(text);
  }
}
