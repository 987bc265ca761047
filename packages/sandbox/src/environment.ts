/** Matches variables that make the dynamic loader run code. The confining program must not get a server's values. */
const LOADER_VARIABLE = /^(?:LD_|DYLD_|MALLOC_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|NLSPATH$)/;

/** A confined program's environment, in two parts. */
export interface SplitEnvironment {
  /** The confining program's own environment, which it passes on to the confined program. */
  readonly outerVariables: NodeJS.ProcessEnv;
  /** The dynamic loader's variables, which only the confined program receives. */
  readonly loaderVariables: Readonly<Record<string, string>>;
}

/** Separates the dynamic loader's variables from the rest of an environment. */
export function splitEnvironment(environment: NodeJS.ProcessEnv): SplitEnvironment {
  const outerVariables: NodeJS.ProcessEnv = {};
  const loaderVariables: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (LOADER_VARIABLE.test(name)) loaderVariables[name] = value;
    else outerVariables[name] = value;
  }
  return { outerVariables, loaderVariables };
}

/** The subfolder for each package cache, by environment variable. `npx` and `pnpm` ignore the case of npm variables. */
const CACHE_SUBFOLDERS: Readonly<Record<string, string>> = {
  npm_config_cache: 'npm',
  npm_config_store_dir: 'pnpm',
  YARN_CACHE_FOLDER: 'yarn',
  COREPACK_HOME: 'corepack',
  BUN_INSTALL_CACHE_DIR: 'bun',
  DENO_DIR: 'deno',
  UV_CACHE_DIR: 'uv',
  UV_TOOL_DIR: 'uv-tools',
  PIP_CACHE_DIR: 'pip',
  PIPX_HOME: 'pipx',
  GOCACHE: 'go-build',
  GOMODCACHE: 'go-mod',
};

/** Variables that make package runners use their caches immediately, instead of trying the network for minutes. */
const OFFLINE_VARIABLES: Readonly<Record<string, string>> = { npm_config_offline: 'true', UV_OFFLINE: '1' };

/** The folders named in a confined program's environment, and the program's network access. */
export interface PrivateFolders {
  /** The folder for the program's package caches. */
  readonly cache: string;
  /** The folder for temporary files. */
  readonly temporaryFolder: string;
  readonly hasNetwork: boolean;
}

/**
 * Returns an environment that makes package runners use private caches. If a server could write to the user's caches,
 * it could change the programs that other servers run.
 */
export function withPrivateCaches(environment: NodeJS.ProcessEnv, places: PrivateFolders): NodeJS.ProcessEnv {
  const { cache, temporaryFolder, hasNetwork } = places;
  const caches = Object.entries(CACHE_SUBFOLDERS).map(
    ([name, place]) => [name, `${cache}/${place}`] as const,
  );
  const own = [...caches, ...Object.entries(hasNetwork ? {} : OFFLINE_VARIABLES)];
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const others = Object.entries(environment).filter(([name]) => !names.has(name.toLowerCase()));
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(own),
    TMPDIR: temporaryFolder,
    TMP: temporaryFolder,
    TEMP: temporaryFolder,
  };
}
