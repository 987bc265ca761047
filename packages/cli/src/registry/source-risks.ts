import type { RegistryArgument, RegistryVariable } from './registry-server.js';

/** For each command, the options that change neither what runs nor its rights. */
const HARMLESS_OPTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  npx: new Set(['-y', '--yes', '-q', '--quiet', '--silent']),
  uvx: new Set(['-q', '--quiet']),
  docker: new Set(['run', '-i', '--interactive', '--rm', '--init', '-e', '--env', '--name']),
  dnx: new Set(['--yes', '-y']),
};

/** Matches variables that can make an interpreter, a shell, the loader or a package manager run other code. */
const RISKY_VARIABLE =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|LD_.*|DYLD_.*|PYTHON(?:PATH|STARTUP|HOME)|BASH_ENV|ENV|PATH|GIT_SSH.*|npm_config_.*|NPM_CONFIG_.*|UV_.*|PIP_.*|DOCKER_.*|DOTNET_STARTUP_HOOKS|JAVA_TOOL_OPTIONS|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|HTTPS?_PROXY|ALL_PROXY|http_proxy|https_proxy|all_proxy)$/;

/**
 * Describes the risks of a registry entry beyond its package, one sentence each: runner options that change what runs
 * or its rights, and variables that make programs run other code.
 */
export function risksOf(
  command: string,
  runtime: readonly RegistryArgument[],
  variables: readonly { readonly name: string }[],
): readonly string[] {
  const harmlessOptions = HARMLESS_OPTIONS[command] ?? new Set<string>();
  const riskyOptions = runtime
    .flatMap((one) => optionsIn(one))
    .filter((option) => !harmlessOptions.has(option));
  const riskyNames = variables.map(({ name }) => name).filter((name) => RISKY_VARIABLE.test(name));
  return [
    ...riskyOptions.map((option) => `the option ${option} of ${command} changes what runs, or its rights`),
    ...riskyNames.map((name) => `the variable ${name} can make programs run other code`),
  ];
}

/** Returns the options in an argument: the argument's name, or words of its possible values that begin with `-`. */
function optionsIn(argument: RegistryArgument): readonly string[] {
  const { type, name = '', variables = {} } = argument;
  const texts = type === 'named' ? [name] : [argument, ...Object.values(variables)].flatMap(textsOf);
  const words = texts.flatMap((text) => text.split(/\s+/));
  return words.filter((word) => word.startsWith('-')).map((word) => word.split('=', 1)[0] ?? '');
}

/** Returns all values that the registry proposes. A default or choice is untrusted, even if a person confirmed it. */
function textsOf({ value, default: fallback, choices = [] }: RegistryVariable): readonly string[] {
  return [value, fallback, ...choices].filter((text) => text !== undefined);
}
