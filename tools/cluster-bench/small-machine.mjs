import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const PERIOD_US = 20_000;
const MOUNTS = [
  // The first version of cgroups, and the second.
  { parent: '/sys/fs/cgroup/cpu', limit: { 'cpu.cfs_period_us': (p) => p, 'cpu.cfs_quota_us': (_, q) => q } },
  { parent: '/sys/fs/cgroup', limit: { 'cpu.max': (period, quota) => `${quota} ${period}` } },
];

/**
 * A machine with a part of one core: a control group of Linux, which all children of its first program are in. Several
 * such machines on one show how a cluster scales.
 */
export class SmallMachine {
  /** @throws Error without root, or without control groups for the CPU */
  constructor(name, cores) {
    const mount = MOUNTS.find(({ parent }) => existsSync(join(parent, 'cgroup.procs')));
    if (mount === undefined) throw new Error('this machine has no control groups');
    this.folder = join(mount.parent, `mcpmux-bench-${process.pid}-${name}`);
    mkdirSync(this.folder);
    const quota = Math.round(cores * PERIOD_US);
    for (const [file, text] of Object.entries(mount.limit))
      writeFileSync(join(this.folder, file), String(text(PERIOD_US, quota)));
  }

  /** The command line that runs a program here. */
  command(program, args) {
    return ['sh', ['-c', `echo $$ > "$0" && exec "$@"`, join(this.folder, 'cgroup.procs'), program, ...args]];
  }

  /** When no program runs here any more. */
  close() {
    rmdirSync(this.folder);
  }
}
