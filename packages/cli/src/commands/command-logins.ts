import { once } from 'node:events';

import type { LoadedConfig } from '@mcpmux/config';
import { messageOf, systemClock, type Login } from '@mcpmux/core';
import { ClusterError, clusterBuckets, keyOf, Links, ownerRecord } from '@mcpmux/cluster';

import type { ClusterFlags } from '../cluster/cluster-options.js';
import { SavedLogins } from '../cluster/saved-logins.js';
import { printNote, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { writeFailed } from '../edit/write-failure.js';

/** A server to log in to, and the config that contains the server. */
export interface CommandLogin {
  readonly name: string;
  readonly url: string;
  readonly config: LoadedConfig;
}

/**
 * The saved login for one server. It is stored in the config's cluster if this process has the cluster's key, otherwise
 * in a file.
 */
export class SavedLogin {
  private readonly saved: SavedLogins;
  private isUnreadable = false;

  constructor(
    private readonly context: CommandContext,
    private readonly login: CommandLogin,
    flags: ClusterFlags,
  ) {
    const { cluster: settings, file } = login.config;
    const warn = (_url: string, problem: string): void => {
      this.isUnreadable = true;
      printNote(context, `${login.name}: ${problem}.`);
    };
    this.saved = new SavedLogins({ flags, settings, file, places: context, warn });
  }

  load(): Promise<Login | undefined> {
    return this.withErrors(this.saved.load(this.login.url));
  }

  save(login: Login): Promise<void> {
    return this.withErrors(this.saved.save(this.login.url, login));
  }

  forget(): Promise<boolean> {
    return this.withErrors(this.saved.forget(this.login.url));
  }

  /** The current location of the login. */
  get location(): { readonly file: string } | { readonly cluster: true } {
    return this.saved.isShared && !this.isUnreadable
      ? { cluster: true }
      : { file: this.saved.fileOf(this.login.url) };
  }

  /** Notifies the node that runs the server, so that the node uses the login. */
  async announce(): Promise<void> {
    const { name } = this.login;
    try {
      await this.saved.withCluster(async (cluster, { id: node }) => {
        const record = await (await clusterBuckets(cluster)).owners.get(keyOf(name));
        const owner = record && ownerRecord(record.value);
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

  private async withErrors<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw writeFailed(this.saved.fileOf(this.login.url), error);
      throw new CommandError('NOT_RUNNING', error.message, {
        next: 'check the URL, the credentials and the key of the cluster (docs/cluster.md)',
      });
    }
  }
}
