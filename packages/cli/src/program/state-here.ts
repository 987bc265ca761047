import { loadConfig } from '@mcpmux/config';
import { countsProjects, findConfig } from '@mcpmux/config/find';

import { thisProcess } from '../config/this-process.js';
import { folderContext } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';

/** Describes, in one line each, the config that mcpmux would use in this folder and the running instances. */
export function describeState(): string {
  const { environment, ...rest } = thisProcess();
  const projects = countsProjects(undefined, environment);
  const found = findConfig({ ...rest, environment, flag: undefined, projects });
  const runningPids = runningInstances(folderContext()).map(({ pid }) => pid);
  return [
    found.kind === 'found'
      ? `Config:  ${found.location.file}, servers: ${loadConfig(found.location, thisProcess()).servers.length}`
      : 'Config:  none yet',
    runningPids.length === 0 ? 'Running: no mcpmux' : `Running: mcpmux with pid ${runningPids.join(', ')}`,
  ].join('\n');
}
