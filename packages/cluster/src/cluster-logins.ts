import { messageOf, redactUrl } from '@mcpmux/kit';
import type { Login, LoginStore } from '@mcpmux/core';
import { ClusterError, type Bucket, type BucketEntry } from './cluster.js';
import { openLogin, recordKeyOf, sealLogin, type LoginKeys, type OpenedLogin } from './sealed-login.js';

/** The logins that are stored on this node. */
export interface LocalLogins extends LoginStore {
  /** Deletes a login. Resolves with false if there was none. */
  forget(url: string): Promise<boolean>;
}

/** The dependencies of {@link ClusterLogins}. */
export interface ClusterLoginsParts {
  readonly bucket: Bucket;
  readonly keys: LoginKeys;
  readonly local: LocalLogins;
  /** Called when this node cannot read a login from the cluster. The problem contains no secrets. */
  readonly warn: (url: string, problem: string) => void;
}

/** A readable login, with the ID of its key and the revision of its record. */
interface ReadableLogin {
  readonly login: Login;
  readonly keyId: string;
  readonly revision: number;
}

/** The name of the login bucket. */
export const LOGIN_BUCKET = 'tokens';
/** The maximum number of write attempts. Conflicts are rare: only logins, logouts and renewals change a record. */
const MAX_ATTEMPTS = 10;
const NO_RECORD = 'absent';
const NOT_READABLE = 'not-readable';

/**
 * The encrypted logins that all nodes of a cluster share, written with compare-and-swap. If this node cannot read a
 * login, the node leaves the record unchanged and uses a local login instead.
 */
export class ClusterLogins implements LocalLogins {
  /** The revision of each unreadable login that was reported with `warn`, by URL. */
  private readonly warnedRevisions = new Map<string, number>();

  constructor(private readonly parts: ClusterLoginsParts) {}

  /** Resolves with the cluster's login. If only this node has a login, moves it to the cluster. */
  async load(url: string): Promise<Login | undefined> {
    const { local, keys } = this.parts;
    const foundLogin = await this.findLogin(url);
    if (foundLogin === NOT_READABLE) return local.load(url);
    if (foundLogin === NO_RECORD) return this.shareLocalLogin(url);
    // Seals the login with the current key. If this fails, the next load on any node tries again.
    if (foundLogin.keyId !== keys[0].id)
      await this.writeLogin(url, foundLogin.login, foundLogin.revision).catch(() => undefined);
    return foundLogin.login;
  }

  async save(url: string, login: Login): Promise<void> {
    const { local } = this.parts;
    const isShared = await this.retryWrite(url, async (found) => {
      if (found === NOT_READABLE) return false;
      await this.writeLogin(url, login, found === NO_RECORD ? undefined : found.revision);
      return true;
    });
    if (isShared) await local.forget(url);
    else await local.save(url, login);
  }

  async change(url: string, edit: (login: Login) => Login): Promise<void> {
    const isShared = await this.retryWrite(url, async (found) => {
      if (typeof found === 'string') return false;
      await this.writeLogin(url, edit(found.login), found.revision);
      return true;
    });
    if (!isShared) await this.parts.local.change(url, edit);
  }

  /** Deletes a URL's login on this node and in the cluster, even if this node cannot read the login. */
  async forget(url: string): Promise<boolean> {
    const { bucket, local } = this.parts;
    const isDeleted = await this.retryOnConflict(async () => {
      const record = await bucket.get(recordKeyOf(url));
      if (record !== undefined) await bucket.delete(recordKeyOf(url), record.revision);
      return record !== undefined;
    });
    return (await local.forget(url)) || isDeleted;
  }

  /** True if this node uses a local login because the cluster's login is unreadable. */
  isLocal(url: string): boolean {
    return this.warnedRevisions.has(url);
  }

  private async shareLocalLogin(url: string): Promise<Login | undefined> {
    const { local } = this.parts;
    const login = await local.load(url);
    if (login === undefined) return undefined;
    try {
      await this.writeLogin(url, login, undefined);
    } catch (error) {
      ignoreConflict(error);
      // Another node has written a login first, so load that one.
      return this.load(url);
    }
    await local.forget(url);
    return login;
  }

  private async findLogin(url: string): Promise<ReadableLogin | typeof NO_RECORD | typeof NOT_READABLE> {
    const { keys, warn } = this.parts;
    const record = await this.readRecord(url);
    if (record === undefined) {
      this.warnedRevisions.delete(url);
      return NO_RECORD;
    }
    const openedLogin = openLogin(record.value, url, keys);
    const { revision } = record;
    if (openedLogin.kind === 'opened') {
      this.warnedRevisions.delete(url);
      return { login: openedLogin.login, keyId: openedLogin.keyId, revision };
    }
    if (this.warnedRevisions.get(url) !== revision) warn(url, describeProblem(url, openedLogin, keys));
    this.warnedRevisions.set(url, revision);
    return NOT_READABLE;
  }

  private async readRecord(url: string): Promise<BucketEntry | undefined> {
    try {
      return await this.parts.bucket.get(recordKeyOf(url));
    } catch (error) {
      const message = `The login to ${redactUrl(url)} is in the cluster, which does not answer: ${messageOf(error)}`;
      throw new ClusterError('UNAVAILABLE', message, { cause: error });
    }
  }

  private async writeLogin(url: string, login: Login, revision: number | undefined): Promise<void> {
    const { bucket, keys } = this.parts;
    const sealedLogin = sealLogin(login, url, keys[0]);
    if (revision === undefined) await bucket.create(recordKeyOf(url), sealedLogin);
    else await bucket.update(recordKeyOf(url), sealedLogin, revision);
  }

  private retryWrite(
    url: string,
    work: (found: Awaited<ReturnType<ClusterLogins['findLogin']>>) => Promise<boolean>,
  ): Promise<boolean> {
    return this.retryOnConflict(async () => work(await this.findLogin(url)));
  }

  /** Runs an operation, and repeats it if another node has changed the record at the same time. */
  private async retryOnConflict(work: () => Promise<boolean>): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        ignoreConflict(error);
        if (tries >= MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/** Rethrows an error that is not a conflict. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ClusterError) || error.code !== 'CONFLICT') throw error;
}

function describeProblem(
  url: string,
  login: Exclude<OpenedLogin, { kind: 'opened' }>,
  keys: LoginKeys,
): string {
  const own = keys.map(({ id }) => id).join(', ');
  const why =
    login.kind === 'other-key'
      ? `it is sealed with the key ${login.keyId}, and this node has ${own}. Give all nodes the same keys`
      : 'it was changed, or a later version of mcpmux has written it. Log out and log in again';
  return `the login to ${redactUrl(url)} in the cluster cannot be read: ${why}`;
}
