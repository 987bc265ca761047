import { once } from 'node:events';

import type { LoadedConfig } from '@mcpmux/config';
import { messageOf, systemClock, type Login } from '@mcpmux/core';
import { ClusterError, clusterBuckets, keyOf, Links, ownerRecord } from '@mcpmux/cluster';

import type { ClusterFlags } from '../cluster/cluster-options.js';
import { SavedLogins } from '../cluster/saved-logins.js';
import { printNote, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { toWriteError } from '../edit/write-failure.js';

/** A server to log in to, and the config that contains it. */
export interface ServerForLogin {
  readonly name: string;
  readonly url: string;
  readonly config: LoadedConfig;
}

/** The login to one server, saved in the config's cluster if this process has the cluster key, or else in a file. */
export class SavedLogin {
  private readonly savedLogins: SavedLogins;
  private isUnreadable = false;

  constructor(
    private readonly context: CommandContext,
    private readonly login: ServerForLogin,
    flags: ClusterFlags,
  ) {
    const { cluster: settings, file } = login.config;
    const warn = (_url: string, problem: string): void => {
      this.isUnreadable = true;
      printNote(context, `${login.name}: ${problem}.`);
    };
    this.savedLogins = new SavedLogins({ flags, settings, file, places: context, warn });
  }

  load(): Promise<Login | undefined> {
    return this.withCommandErrors(this.savedLogins.load(this.login.url));
  }

  save(login: Login): Promise<void> {
    return this.withCommandErrors(this.savedLogins.save(this.login.url, login));
  }

  forget(): Promise<boolean> {
    return this.withCommandErrors(this.savedLogins.forget(this.login.url));
  }

  /** The place where the login is saved: a file or the cluster. */
  get location(): { readonly file: string } | { readonly cluster: true } {
    return this.savedLogins.isShared && !this.isUnreadable
      ? { cluster: true }
      : { file: this.savedLogins.fileOf(this.login.url) };
  }

  /** Notifies the node that runs the server, so that the node restarts a crashed server with the new login. */
  async notifyOwner(): Promise<void> {
    const { name } = this.login;
    try {
      await this.savedLogins.withCluster(async (cluster, { id: node }) => {
        const ownerEntry = await (await clusterBuckets(cluster)).owners.get(keyOf(name));
        const owner = ownerEntry && ownerRecord(ownerEntry.value);
        if (owner === undefined) return;
        const links = new Links({ cluster, clock: systemClock, node, serve: () => 'this is a command' });
        const link = await links.open(owner.node, { command: 'login', name });
        link.resume();
        await once(link, 'end');
        links.close();
      });
    } catch (error) {
      printNote(this.context, `The node that runs ${name} did not start it again: ${messageOf(error)}`);
    }
  }

  private async withCommandErrors<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ClusterError))
        throw toWriteError(this.savedLogins.fileOf(this.login.url), error);
      throw new CommandError('NOT_RUNNING', error.message, {
        next: 'check the URL, the credentials and the key of the cluster (docs/cluster.md)',
      });
    }
  }
}
