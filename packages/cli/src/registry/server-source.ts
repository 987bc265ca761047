import type { JsonObject } from '@mcpmux/clients';

import { valuesIn, type InputRules } from './input-value.js';
import type {
  RegistryArgument,
  RegistryInput,
  RegistryPackage,
  RegistryRemote,
  RegistryServer,
  RegistryVariable,
} from './registry-server.js';

/** Something that a person gives when a server is added. */
export interface SourceInput extends InputRules {
  /** Names a variable or a secret: letters, digits and `_`. */
  readonly id: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly fallback: string | undefined;
}

/** A variable, or an argument that may take several values. */
type HintedVariable = RegistryVariable & { readonly isRepeated?: unknown };

/** The value of each input, as in a config: a text, `${NAME}` or `${secret:NAME}`. */
export type Given = (input: SourceInput) => string | undefined;

/** One way to run a server of a registry, or why mcpmux cannot run it. */
export type ServerSource =
  | {
      readonly kind: 'package' | 'remote';
      readonly label: string;
      readonly inputs: readonly SourceInput[];
      readonly entry: (given: Given) => JsonObject;
    }
  | { readonly kind: 'unusable'; readonly label: string; readonly problem: string };

/** How a type of package is run. */
interface Runner {
  readonly command: string;
  readonly args: readonly string[];
  readonly target: (identifier: string, version: string | undefined) => string;
}

const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: {
    command: 'npx',
    args: ['-y'],
    target: (id, version) => (version === undefined ? id : `${id}@${version}`),
  },
  pypi: {
    command: 'uvx',
    args: [],
    target: (id, version) => (version === undefined ? id : `${id}==${version}`),
  },
  oci: { command: 'docker', args: ['run', '-i', '--rm'], target: ociTarget },
  nuget: {
    command: 'dnx',
    args: ['--yes'],
    target: (id, version) => (version === undefined ? id : `${id}@${version}`),
  },
};
/** A text that a program cannot take for an option or for several words. */
const PLAIN = /^[\w@.:/+~][\w@.:/+~=-]*$/;
const VARIABLE = /\{([\w.-]+)\}/g;

/** How a config refers to a secret of the keyring. */
export function secretReference(name: string): string {
  return `\${secret:${name}}`;
}

/** The ways to run a server: packages before urls, in the order of the registry. */
export function sourcesOf({ packages, remotes }: RegistryServer): readonly ServerSource[] {
  return [...packages.map(packageSource), ...remotes.map(remoteSource)];
}

function ociTarget(identifier: string, version: string | undefined): string {
  const hasTag = /[:@][^/]+$/.test(identifier);
  return hasTag || version === undefined ? identifier : `${identifier}:${version}`;
}

function packageSource(pack: RegistryPackage): ServerSource {
  const { registryType, identifier, version, transport } = pack;
  const label = `${registryType} ${identifier}`;
  const unusable = (problem: string): ServerSource => ({ kind: 'unusable', label, problem });
  const runner = Object.hasOwn(RUNNERS, registryType) ? RUNNERS[registryType] : undefined;
  if (runner === undefined) return unusable(`packages of the type ${registryType} are not supported`);
  if (transport !== undefined && transport.type !== 'stdio')
    return unusable(`it speaks ${transport.type}, not stdio`);
  const target = runner.target(identifier, version);
  if (!PLAIN.test(target)) return unusable('its identifier is not plain text');
  const variables = pack.environmentVariables ?? [];
  const before = pack.runtimeArguments ?? [];
  const after = pack.packageArguments ?? [];
  const inputs = [
    ...variables.flatMap((one) => inputsOf(one.name, one)),
    ...[...before, ...after].flatMap((one) => inputsOf(argumentId(one), one)),
  ];
  const entry = (given: Given): JsonObject => {
    const env = valuesOf(variables, given);
    const passed = registryType === 'oci' ? Object.keys(env).flatMap((name) => ['-e', name]) : [];
    const runtime = words(before, given).filter((word) => !runner.args.includes(word));
    const args = [...runner.args, ...passed, ...runtime, target, ...words(after, given)];
    return { command: runner.command, args, ...(Object.keys(env).length > 0 && { env }) };
  };
  return { kind: 'package', label, inputs: unique(inputs), entry };
}

function remoteSource({ type, url, headers = [], variables = {} }: RegistryRemote): ServerSource {
  const label = `${type} ${url}`;
  const isKnown = type === 'streamable-http' || type === 'sse';
  if (!isKnown || !/^https?:\/\//.test(url))
    return { kind: 'unusable', label, problem: `it is reached by ${type}` };
  const ofUrl = Object.entries(variables).map(([name, one]) => inputOf(name, one));
  const inputs = [...ofUrl, ...headers.flatMap((one) => inputsOf(one.name, one))];
  const entry = (given: Given): JsonObject => {
    const values = valuesOf(headers, given);
    const filled = replaced(url, variables, given);
    return {
      type: type === 'sse' ? 'sse' : 'http',
      url: filled,
      ...(Object.keys(values).length > 0 && { headers: values }),
    };
  };
  return { kind: 'remote', label, inputs: unique(inputs), entry };
}

/** The words of arguments: a name and a value, or a value alone. */
function words(given: readonly RegistryArgument[], values: Given): readonly string[] {
  return given.flatMap((one) => {
    const value = valueOf(argumentId(one), one, values);
    const name = one.type === 'named' && one.name !== undefined ? [one.name] : [];
    if (value === undefined) return [];
    const all = one.isRepeated === true ? valuesIn(value) : [value];
    return all.flatMap((each) => name.concat(each));
  });
}

function argumentId({ name, valueHint }: RegistryArgument): string {
  return valueHint ?? name ?? 'argument';
}

/** The values of variables or headers, by name. Those without a value are left out. */
function valuesOf(
  named: readonly (RegistryInput & { readonly name: string })[],
  given: Given,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    named.flatMap((one) => {
      const value = valueOf(one.name, one, given);
      return value === undefined ? [] : [[one.name, value]];
    }),
  );
}

/** A fixed value with its variables, or what was given. */
function valueOf(id: string, input: RegistryInput, given: Given): string | undefined {
  const { value, variables = {} } = input;
  return value === undefined ? given(inputOf(id, input)) : replaced(value, variables, given);
}

function replaced(text: string, variables: Readonly<Record<string, RegistryVariable>>, given: Given): string {
  return text.replaceAll(VARIABLE, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return variable === undefined ? whole : (given(inputOf(name, variable)) ?? '');
  });
}

function inputsOf(id: string, input: RegistryInput): readonly SourceInput[] {
  const { value, variables = {} } = input;
  if (value === undefined) return [inputOf(id, input)];
  return Object.entries(variables).map(([name, one]) => inputOf(name, one));
}

function inputOf(name: string, variable: HintedVariable): SourceInput {
  const { description = '', isRequired = false, isSecret = false } = variable;
  const id = name.replaceAll(/\W+/g, '_').replace(/^_+/, '').toUpperCase() || 'VALUE';
  const fallback = variable.value ?? variable.default;
  return { id, description, isRequired, isSecret, fallback, ...rulesOf(variable) };
}

function rulesOf({ choices, format, placeholder, isRepeated }: HintedVariable): InputRules {
  return {
    ...(choices !== undefined && choices.length > 0 && { choices }),
    ...((format === 'number' || format === 'boolean' || format === 'filepath') && { format }),
    ...(placeholder !== undefined && { placeholder }),
    ...(isRepeated === true && { isRepeated }),
  };
}

function unique(inputs: readonly SourceInput[]): readonly SourceInput[] {
  return [...new Map(inputs.map((input) => [input.id, input])).values()];
}
