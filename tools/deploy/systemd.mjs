import { spawnSync } from 'node:child_process';

/** The only fault that a machine without mcpmux finds. */
const NOT_INSTALLED = /: Command \/usr\/bin\/mcpmux is not executable: No such file or directory$/;

/** What systemd says of a unit; undefined where there is no systemd. */
export function unitProblems(file) {
  const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  if (error !== undefined) return undefined;
  return stderr.split('\n').filter((line) => line !== '' && !NOT_INSTALLED.test(line));
}

/** Folders that npx and uvx write to, by the variables that name them. */
const WRITTEN = ['HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'npm_config_cache', 'UV_CACHE_DIR'];

/** The folders of servers that a unit with a system that is read only does not let them write to. */
export function folderProblems(unit) {
  const values = (key) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].flatMap(([, text]) => text.split(' '));
  if (!values('ProtectSystem').includes('strict')) return [];
  const environment = new Map(values('Environment').map((pair) => pair.split('=')));
  const writable = [
    ...values('StateDirectory').map((name) => `/var/lib/${name}`),
    ...values('CacheDirectory').map((name) => `/var/cache/${name}`),
  ];
  const isWritable = (path = '') => writable.some((folder) => `${path}/`.startsWith(`${folder}/`));
  return WRITTEN.filter((name) => !isWritable(environment.get(name))).map(
    (name) => `${name} is in no folder of the unit, so servers cannot write to it`,
  );
}
