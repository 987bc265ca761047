/** Matches variables with which the loader runs code. The confining program must not get a server's values of them. */
const LOADER_VARIABLE = /^(?:LD_|DYLD_|MALLOC_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|NLSPATH$)/;

/** The environment of a confined program, in two parts. */
export interface SplitEnvironment {
  /** The environment of the confining program, which passes it on. */
  readonly outerVariables: NodeJS.ProcessEnv;
  /** Variables of the loader, which only the confined program gets. */
  readonly loaderVariables: Readonly<Record<string, string>>;
}

/** Splits an environment at the boundary of a sandbox. */
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

/** The subfolders for package caches, by variable. `npx` and `pnpm` read npm variables in any letter case. */
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

/** Variables that make package runners use their caches at once, instead of trying the network for minutes. */
const OFFLINE_VARIABLES: Readonly<Record<string, string>> = { npm_config_offline: 'true', UV_OFFLINE: '1' };

/** The folders that the environment of a confined program refers to, and its network access. */
export interface PrivateFolders {
  /** The folder of its package caches. */
  readonly cache: string;
  /** The folder for temporary files. */
  readonly temporaryFolder: string;
  readonly hasNetwork: boolean;
}

/**
 * Returns an environment in which package runners use caches in these folders. A server that can write to the user's
 * caches could change the programs that other servers run.
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
