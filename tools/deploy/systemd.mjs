import { spawnSync } from 'node:child_process';

/** The only fault that a machine without mcpmux finds. */
const NOT_INSTALLED = /: Command \/usr\/bin\/mcpmux is not executable: No such file or directory$/;

/** What systemd says of a unit; undefined where there is no systemd. */
export function unitProblems(file) {
  const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  if (error !== undefined) return undefined;
  return stderr.split('\n').filter((line) => line !== '' && !NOT_INSTALLED.test(line));
}
