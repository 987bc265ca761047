import { isDeepStrictEqual } from 'node:util';

import { type ConfigContext, loadConfig, type LoadedServer } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import type { ServerConfig } from '@mcpmux/core';

import type { ReadyServer } from '../config/registered-servers.js';

/** Two folders, in which nothing is: a server that is the same in both is the same in every folder. */
const FOLDERS = ['/mcpmux-no-folder/1', '/mcpmux-no-folder/2'] as const;

/** Decides which servers of a config the windows of all folders share, and which have a run for each folder. */
export class Placement {
  constructor(
    private readonly location: ConfigLocation,
    private readonly context: ConfigContext,
  ) {}

  /** Those that are the same in every folder. One without a working directory of its own runs in the home folder. */
  forAll(servers: readonly LoadedServer[]): readonly LoadedServer[] {
    const everywhere = this.everywhere();
    return servers
      .filter((server): server is ReadyServer => server.status === 'ready' && everywhere.has(server.name))
      .map((server) => placed(server, this.context.home));
  }

  /** The others, as they are in one folder. */
  forFolder(servers: readonly LoadedServer[], folder: string): readonly LoadedServer[] {
    const everywhere = this.everywhere();
    return servers
      .filter(({ name }) => !everywhere.has(name))
      .map((server) => (server.status === 'ready' ? placed(server, folder) : server));
  }

  /** The place of the config for windows in a folder. */
  locationIn(folder: string): ConfigLocation {
    return this.location.origin === 'project' ? this.location : { ...this.location, folder };
  }

  private everywhere(): ReadonlySet<string> {
    const [one, two] = FOLDERS.map((cwd) => {
      const { servers } = loadConfig(this.locationIn(cwd), { ...this.context, cwd });
      return new Map(servers.map((server) => [server.name, server]));
    });
    const same = [...(one ?? [])].filter(
      ([name, server]) => isFree(server) && isDeepStrictEqual(server, two?.get(name)),
    );
    return new Set(same.map(([name]) => name));
  }
}

/** Whether a server needs no working directory of its window. */
function isFree(server: LoadedServer): boolean {
  if (server.status !== 'ready') return false;
  const { config, shared } = server;
  return config.url !== undefined || config.cwd !== undefined || shared === true;
}

function placed(server: ReadyServer, folder: string): ReadyServer {
  return { ...server, config: inFolder(ownRuns(server), folder) };
}

function ownRuns({ config, shared }: ReadyServer): ServerConfig {
  return shared === false ? { ...config, isolation: 'session' } : config;
}

function inFolder(config: ServerConfig, folder: string): ServerConfig {
  return config.url === undefined ? { cwd: folder, ...config } : config;
}
