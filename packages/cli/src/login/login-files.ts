import { hash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { isObject } from '@mcpmux/clients';
import { errorCodeOf, type Login, type LoginStore } from '@mcpmux/core';

import { writeAtomically } from '../files/atomic-write.js';
import { withFileLock } from '../files/file-lock.js';
import { makeFolder } from '../files/make-folder.js';
import { stateFolder, type StateContext } from '../files/state-folder.js';

const OWNER_ONLY_MODES = { folder: 0o700, file: 0o600 };

/** Stores logins in files that only this user can access, one file for each URL. */
export class LoginFiles implements LoginStore {
  private readonly folder: string;

  constructor(places: StateContext) {
    this.folder = join(stateFolder(places), 'logins');
  }

  /** Resolves to undefined if the file is missing or contains no JSON object. Rejects with other file system errors. */
  load(url: string): Promise<Login | undefined> {
    return Promise.resolve().then(() => this.readLogin(url));
  }

  save(url: string, login: Login): Promise<void> {
    return this.withLock(url, () => this.writeLogin(url, login));
  }

  change(url: string, edit: (login: Login) => Login): Promise<void> {
    return this.withLock(url, () => {
      const login = this.readLogin(url);
      if (login !== undefined) this.writeLogin(url, edit(login));
    });
  }

  /** Deletes the login for a URL. Resolves to false if none was stored. */
  async forget(url: string): Promise<boolean> {
    const file = this.fileOf(url);
    if (!existsSync(file)) return false;
    return this.withLock(url, () => {
      const hadLogin = this.readLogin(url) !== undefined;
      rmSync(file, { force: true });
      return hadLogin;
    });
  }

  /** Returns the path of a login's file. The file name is a hash, so that it does not reveal the URL. */
  fileOf(url: string): string {
    return join(this.folder, `${hash('sha256', url).slice(0, 32)}.json`);
  }

  /** Runs `work` while no other process can change the login. */
  private withLock<Result>(url: string, work: () => Result): Promise<Result> {
    makeFolder(this.folder, OWNER_ONLY_MODES.folder);
    return withFileLock(this.fileOf(url), work);
  }

  private writeLogin(url: string, login: Login): void {
    const file = this.fileOf(url);
    chmodSync(this.folder, OWNER_ONLY_MODES.folder);
    writeAtomically(file, JSON.stringify(login));
    chmodSync(file, OWNER_ONLY_MODES.file);
  }

  private readLogin(url: string): Login | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(this.fileOf(url), 'utf8'));
      return isObject(value) ? value : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || errorCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}
