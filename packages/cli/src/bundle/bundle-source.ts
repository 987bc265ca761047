import { posix, resolve } from 'node:path';

import type { JsonObject } from '@mcpmux/clients';
import { literalText } from '@mcpmux/config';

import { splitValues } from '../registry/input-value.js';
import { joinedText } from '../registry/joined-text.js';
import type { InputValueSource, SourceInput, UsableSource } from '../registry/server-source.js';
import type { BundleField, BundleManifest } from './bundle-manifest.js';

/** The folder that contains an unpacked bundle, and the platform that runs it. */
export interface BundleLocation {
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}

const PLACEHOLDER = /(\$\{[^{}]*\})/;
const USER_FIELD_PLACEHOLDER = /^\$\{user_config\.([^{}]+)\}$/;
/** Maps the manifest's folder placeholders to their equivalents in an mcpmux config. */
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
 * Converts a bundle's manifest to a source from which mcpmux can configure the server.
 *
 * @throws Error if the bundle does not support the platform
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

/** Converts a manifest string to config syntax. Replaces folder placeholders, and escapes all others. */
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

/** Builds a bundle's config entry from its manifest and the user's values. */
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

  /** Expands the command. Resolves a relative path against the bundle's folder. */
  private resolveProgram(command: string): string {
    const expandedCommand = this.expandText(command, ' ') ?? '';
    const isRelativePath =
      expandedCommand.includes('/') && !posix.isAbsolute(expandedCommand) && !expandedCommand.startsWith('$');
    return isRelativePath && command === expandedCommand
      ? this.literal(resolve(this.location.folder, expandedCommand))
      : expandedCommand;
  }

  /** Expands an argument. An argument that is only a field's placeholder becomes one argument for each value. */
  private expandArgument(arg: string): readonly string[] {
    const fieldName = USER_FIELD_PLACEHOLDER.exec(arg)?.[1];
    if (fieldName !== undefined) return this.valuesOfField(fieldName);
    const value = this.expandText(arg, ',');
    return value === undefined ? [] : [value];
  }

  /** Replaces the placeholders in a text. Returns undefined if the text refers to a field that has no value. */
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
