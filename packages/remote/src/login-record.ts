import { messageOf, redactUrl } from '@mcpmux/kit';
import type { Login, SessionLogin } from './login-store.js';
import { readLogin, type StoredLogin } from './stored-login.js';

/** The pause before another attempt to save tokens, in milliseconds. */
const RETRY_MS = 30_000;
/** The maximum number of refresh tokens that are remembered while saving fails. */
const MAX_USED = 100;

/** Tokens that have not been saved yet. */
interface Unsaved {
  readonly tokens: StoredLogin['tokens'];
  /** The refresh tokens that were used for these tokens. A saved login with any other refresh token is a new login. */
  readonly used: readonly string[];
}

/**
 * The saved login to a server, with the tokens that could not be saved yet. A refresh token can be used only once, so
 * new tokens must not be lost because a disk is full or a lock is held.
 */
export class LoginRecord {
  private unsaved: Unsaved | undefined;
  private isWarned = false;
  private retryAt = 0;

  constructor(
    private readonly url: string,
    private readonly from: SessionLogin,
  ) {}

  /** Resolves with undefined if the user has not logged in. Rejects if the login cannot be read. */
  async read(): Promise<StoredLogin | undefined> {
    const saved = await this.from.store.load(this.url);
    return saved && readLogin(this.withUnsaved(saved));
  }

  /** Saves new tokens. If that fails, logs a warning, and {@link saveLater} tries again. */
  async renew(used: string, tokens: StoredLogin['tokens']): Promise<void> {
    this.unsaved = { tokens, used: [...(this.unsaved?.used ?? []), used].slice(-MAX_USED) };
    await this.save();
  }

  /** Tries again to save tokens if the last attempt was long enough ago. */
  saveLater(): void {
    if (this.unsaved !== undefined && this.from.clock.now() >= this.retryAt) void this.save();
  }

  /** Changes the saved login. Resolves with the reason if it cannot be saved. */
  async change(edit: (login: Login) => Login): Promise<string | undefined> {
    const { unsaved } = this;
    try {
      await this.from.store.change(this.url, (saved) => edit(this.withUnsaved(saved)));
    } catch (error) {
      return messageOf(error);
    }
    if (this.unsaved === unsaved) this.unsaved = undefined;
    this.isWarned = false;
    return undefined;
  }

  private async save(): Promise<void> {
    const { clock, warn } = this.from;
    this.retryAt = clock.now() + RETRY_MS;
    const problem = await this.change((login) => login);
    if (problem === undefined || this.isWarned) return;
    this.isWarned = true;
    warn(
      `the renewed login to ${redactUrl(this.url)} could not be saved (${problem}); mcpmux uses it, and tries again to ` +
        'save it. If mcpmux ends before, the user has to log in again',
    );
  }

  private withUnsaved(saved: Login): Login {
    const refreshToken = readLogin(saved)?.tokens.refresh_token;
    if (this.unsaved === undefined || refreshToken === undefined) return saved;
    return this.unsaved.used.includes(refreshToken) ? { ...saved, tokens: this.unsaved.tokens } : saved;
  }
}
