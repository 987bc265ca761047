import { messageOf, redactUrl } from '@mcpmux/kit';
import type { Login, SessionLogin } from './login-store.js';
import { readLogin, type StoredLogin } from './stored-login.js';

/** How long to wait before trying to save tokens again, in milliseconds. */
const SAVE_RETRY_MS = 30_000;
/** The maximum number of used refresh tokens to remember while saving fails. */
const MAX_USED_TOKENS = 100;

/** Tokens that have not been saved yet. */
interface UnsavedTokens {
  readonly tokens: StoredLogin['tokens'];
  /** The refresh tokens that were exchanged for these tokens. A saved login with any other refresh token is newer. */
  readonly usedTokens: readonly string[];
}

/**
 * The saved login to a server, and any new tokens that could not be saved yet. A refresh token can be used only once,
 * so new tokens must not be lost because of a full disk or a locked file.
 */
export class LoginRecord {
  private unsavedTokens: UnsavedTokens | undefined;
  private hasWarned = false;
  private retryAt = 0;

  constructor(
    private readonly url: string,
    private readonly sessionLogin: SessionLogin,
  ) {}

  /** Resolves to the login, or to undefined if the user has not logged in. Rejects if the login cannot be read. */
  async read(): Promise<StoredLogin | undefined> {
    const savedLogin = await this.sessionLogin.store.load(this.url);
    return savedLogin && readLogin(this.withUnsaved(savedLogin));
  }

  /** Saves new tokens. On failure, logs a warning, and a later call of `retrySaving` tries again. */
  async saveRenewedTokens(used: string, tokens: StoredLogin['tokens']): Promise<void> {
    this.unsavedTokens = {
      tokens,
      usedTokens: [...(this.unsavedTokens?.usedTokens ?? []), used].slice(-MAX_USED_TOKENS),
    };
    await this.save();
  }

  /** Tries again to save tokens, unless the last attempt was too recent. */
  retrySaving(): void {
    if (this.unsavedTokens !== undefined && this.sessionLogin.clock.now() >= this.retryAt) void this.save();
  }

  /** Changes the saved login. Resolves to the reason if saving fails. */
  async change(edit: (login: Login) => Login): Promise<string | undefined> {
    const { unsavedTokens } = this;
    try {
      await this.sessionLogin.store.change(this.url, (saved) => edit(this.withUnsaved(saved)));
    } catch (error) {
      return messageOf(error);
    }
    if (this.unsavedTokens === unsavedTokens) this.unsavedTokens = undefined;
    this.hasWarned = false;
    return undefined;
  }

  private async save(): Promise<void> {
    const { clock, warn } = this.sessionLogin;
    this.retryAt = clock.now() + SAVE_RETRY_MS;
    const problem = await this.change((login) => login);
    if (problem === undefined || this.hasWarned) return;
    this.hasWarned = true;
    warn(
      `the renewed login to ${redactUrl(this.url)} could not be saved (${problem}); mcpmux uses it, and tries again to ` +
        'save it. If mcpmux ends before, the user has to log in again',
    );
  }

  private withUnsaved(saved: Login): Login {
    const refreshToken = readLogin(saved)?.tokens.refresh_token;
    if (this.unsavedTokens === undefined || refreshToken === undefined) return saved;
    return this.unsavedTokens.usedTokens.includes(refreshToken)
      ? { ...saved, tokens: this.unsavedTokens.tokens }
      : saved;
  }
}
