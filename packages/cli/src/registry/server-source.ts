import type { JsonObject } from '@mcpmux/clients';
import { literalText } from '@mcpmux/config';

import { splitValues, type InputRules } from './input-value.js';
import { obstacleOf, runnerOf } from './package-runners.js';
import { risksOf } from './source-risks.js';
import { filledText, VARIABLE_PATTERN } from './registry-text.js';
import type {
  RegistryArgument,
  RegistryInput,
  RegistryPackage,
  RegistryRemote,
  RegistryServer,
  RegistryVariable,
} from './registry-server.js';

/** A value that a person must or may enter when adding a server. */
export interface SourceInput extends InputRules {
  /** The name of the variable or secret. Consists of uppercase letters, digits and `_`. */
  readonly id: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly fallback: string | undefined;
}

/** A variable, or an argument that may have several values. */
type HintedVariable = RegistryVariable & { readonly isRepeated?: unknown };

type Variables = Readonly<Record<string, RegistryVariable>>;

/** Returns the value to write to the config for an input: text, `${NAME}` or `${secret:NAME}`. */
export type InputValueSource = (input: SourceInput) => string | undefined;

/** A way to run a registry server, or the reason why mcpmux cannot run it. */
export type ServerSource =
  | {
      readonly kind: 'package' | 'remote';
      readonly label: string;
      readonly inputs: readonly SourceInput[];
      /** Descriptions of options and variables that change what runs, or its rights. */
      readonly risks: readonly string[];
      readonly entry: (given: InputValueSource) => JsonObject;
    }
  | { readonly kind: 'unusable'; readonly label: string; readonly problem: string };

/** A source that mcpmux can run. */
export type UsableSource = Exclude<ServerSource, { readonly kind: 'unusable' }>;

/** Matches text that cannot be interpreted as an option or as several words. */
const PLAIN_WORD = /^[\w@.:/+~][\w@.:/+~=-]*$/;
/** Matches an HTTP URL, or a URL template that begins with a variable, such as `{base_url}/mcp`. */
const WEB_ADDRESS = /^(?:https?:\/\/|\{[A-Za-z_]\w*\})/;

/** Returns the placeholder for a secret in the keyring. */
export function secretReference(name: string): string {
  return `\${secret:${name}}`;
}

/** Returns a server's sources: first its packages, then its URLs, each in the registry's order. */
export function sourcesOf({ packages, remotes }: RegistryServer): readonly ServerSource[] {
  return [...packages.map(packageSource), ...remotes.map(remoteSource)];
}

function packageSource(pack: RegistryPackage): ServerSource {
  const { registryType, identifier } = pack;
  const label = `${registryType} ${identifier}`;
  const unusableSource = (problem: string): ServerSource => ({ kind: 'unusable', label, problem });
  const runner = runnerOf(registryType);
  if (registryType === 'mcpb') return unusableSource(bundleAdvice(pack));
  if (runner === undefined) return unusableSource(`packages of the type ${registryType} are not supported`);
  const obstacle = obstacleOf(pack, runner);
  if (obstacle !== undefined) return unusableSource(obstacle);
  const target = runner.targetOf(pack);
  if (!PLAIN_WORD.test(target)) return unusableSource('its identifier is not plain text');
  const variables = pack.environmentVariables ?? [];
  const runtimeArguments = pack.runtimeArguments ?? [];
  const packageArguments = pack.packageArguments ?? [];
  const inputs = [
    ...variables.flatMap((one) => inputsOf(one.name, one)),
    ...[...runtimeArguments, ...packageArguments].flatMap((one) => inputsOf(argumentId(one), one)),
  ];
  const entry = (given: InputValueSource): JsonObject => {
    const env = valuesByName(variables, given);
    const envFlags = registryType === 'oci' ? Object.keys(env).flatMap((name) => ['-e', name]) : [];
    const runtimeWords = argumentWords(runtimeArguments, given).filter((word) => !runner.args.includes(word));
    const packageWords = argumentWords(packageArguments, given);
    const separatorWords = packageWords.length === 0 ? [] : (runner.separator ?? []);
    const args = [...runner.args, ...envFlags, ...runtimeWords, target, ...separatorWords, ...packageWords];
    return { command: runner.command, args, ...(Object.keys(env).length > 0 && { env }) };
  };
  const risks = risksOf(runner.command, runtimeArguments, variables);
  return { kind: 'package', label, inputs: uniqueInputs(inputs), risks, entry };
}

/** Explains how to add a bundle, because mcpmux does not download bundles. */
function bundleAdvice({ fileSha256: sum = '' }: RegistryPackage): string {
  const checksumAdvice = /^[0-9a-f]{64}$/i.test(sum) ? `, check that its SHA-256 is ${sum}` : '';
  return `mcpmux does not download bundles. Download it${checksumAdvice}, then: mcpmux add FILE.mcpb`;
}

function remoteSource({ type, url, headers = [], variables = {} }: RegistryRemote): ServerSource {
  const label = `${type} ${url}`;
  const isSupported = type === 'streamable-http' || type === 'sse';
  if (!isSupported) return { kind: 'unusable', label, problem: `it is reached by ${type}` };
  if (!WEB_ADDRESS.test(url)) return { kind: 'unusable', label, problem: 'its address is not of the web' };
  const inputs = [...inputsOfVariables(variables), ...headers.flatMap((one) => inputsOf(one.name, one))];
  const entry = (given: InputValueSource): JsonObject => {
    const values = valuesByName(headers, given);
    const filledUrl = fillVariables(url, variables, given);
    return {
      type: type === 'sse' ? 'sse' : 'http',
      url: filledUrl,
      ...(Object.keys(values).length > 0 && { headers: values }),
    };
  };
  return { kind: 'remote', label, inputs: uniqueInputs(inputs), risks: [], entry };
}

/** Converts arguments to command-line words. Repeats a named argument's name before each of its values. */
function argumentWords(args: readonly RegistryArgument[], valueOf: InputValueSource): readonly string[] {
  return args.flatMap((one) => {
    const value = resolvedValue(argumentId(one), one, valueOf);
    const name = one.type === 'named' && one.name !== undefined ? [literalText(one.name)] : [];
    if (value === undefined) return [];
    const valueWords = one.isRepeated === true ? splitValues(value) : [value];
    return valueWords.flatMap((each) => name.concat(each));
  });
}

function argumentId({ name, valueHint }: RegistryArgument): string {
  return valueHint ?? name ?? 'argument';
}

/** Returns the values of variables or headers by name. Omits variables and headers without a value. */
function valuesByName(
  inputs: readonly (RegistryInput & { readonly name: string })[],
  valueOf: InputValueSource,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    inputs.flatMap((one) => {
      const value = resolvedValue(one.name, one, valueOf);
      return value === undefined ? [] : [[one.name, value]];
    }),
  );
}

/**
 * Returns an input's fixed value with its variables replaced or, without a fixed value, the user's value. Returns
 * undefined for an optional input with a variable that has no value.
 */
function resolvedValue(id: string, input: RegistryInput, valueOf: InputValueSource): string | undefined {
  const { value, variables = {}, isRequired = false } = input;
  if (value === undefined) return valueOf(inputOf(id, input));
  const usedNames = [...value.matchAll(VARIABLE_PATTERN)].map(([, name = '']) => name);
  const isMissing = usedNames.some(
    (name) => Object.hasOwn(variables, name) && variableValue(name, variables, valueOf) === undefined,
  );
  return isMissing && !isRequired ? undefined : fillVariables(value, variables, valueOf);
}

function fillVariables(text: string, variables: Variables, valueOf: InputValueSource): string {
  return filledText(text, (name) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (variable === undefined) return undefined;
    return variable.value === undefined
      ? { given: valueOf(inputOf(name, variable)) ?? '' }
      : { fixed: variable.value };
  });
}

function variableValue(name: string, variables: Variables, valueOf: InputValueSource): string | undefined {
  const variable = variables[name];
  return variable && (variable.value ?? valueOf(inputOf(name, variable)));
}

function inputsOf(id: string, input: RegistryInput): readonly SourceInput[] {
  const { value, variables = {} } = input;
  return value === undefined ? [inputOf(id, input)] : inputsOfVariables(variables);
}

/** Returns the inputs for the variables that have no fixed value. */
function inputsOfVariables(variables: Variables): readonly SourceInput[] {
  const variableInputs = Object.entries(variables).filter(([, { value }]) => value === undefined);
  return variableInputs.map(([name, one]) => inputOf(name, one));
}

function inputOf(name: string, variable: HintedVariable): SourceInput {
  const { description = '', isRequired = false, isSecret = false } = variable;
  const id = name.replaceAll(/\W+/g, '_').replace(/^_+/, '').toUpperCase() || 'VALUE';
  return { id, description, isRequired, isSecret, fallback: fallbackOf(variable), ...inputRulesOf(variable) };
}

function fallbackOf({ default: text }: HintedVariable): string | undefined {
  return text === undefined ? undefined : escapeText(text);
}

/** Escapes text from the registry, so that it contains no placeholder, even when it is joined with other text. */
function escapeText(text: string): string {
  return text.includes('${') ? text.replaceAll('${', () => '$${') : literalText(text);
}

function inputRulesOf({ choices, format, placeholder, isRepeated }: HintedVariable): InputRules {
  return {
    ...(choices !== undefined && choices.length > 0 && { choices: choices.map(escapeText) }),
    ...((format === 'number' || format === 'boolean' || format === 'filepath') && { format }),
    ...(placeholder !== undefined && { placeholder }),
    ...(isRepeated === true && { isRepeated }),
  };
}

function uniqueInputs(inputs: readonly SourceInput[]): readonly SourceInput[] {
  return [...new Map(inputs.map((input) => [input.id, input])).values()];
}
