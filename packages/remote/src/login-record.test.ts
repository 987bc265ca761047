import { describe, expect, it } from 'vitest';

import type { Clock } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import type { Login, LoginStore } from './login-store.js';
import { SessionTokens } from './sdk-session-tokens.js';

const URL_OF_SERVER = 'https://server.example/mcp';

function loginOf(access: string, refresh: string): Login {
  return {
    version: 1,
    authorizationServer: 'https://login.example',
    tokenEndpoint: 'https://login.example/token',
    client: { client_id: 'c' },
    tokens: { access_token: access, refresh_token: refresh },
  };
}

/** A store whose disk can be full, and in which another process may save a login. */
class Disk implements LoginStore {
  isFull = false;
  changes = 0;
  loads = 0;
  /** Called before each load. */
  onLoad: () => void = () => undefined;

  constructor(public login: Login) {}

  load(): Promise<Login> {
    this.loads += 1;
    this.onLoad();
    return Promise.resolve(this.login);
  }

  save(_url: string, login: Login): Promise<void> {
    this.login = login;
    return Promise.resolve();
  }

  change(_url: string, edit: (login: Login) => Login): Promise<void> {
    this.changes += 1;
    if (this.isFull) return Promise.reject(new Error('ENOSPC: no space left on device'));
    return this.save('', edit(this.login));
  }
}

/** An authorization server that numbers its tokens, and takes each refresh token once. */
class Issuer {
  readonly asked: string[] = [];
  private current = 1;

  readonly fetch = (_url: string | URL, { body }: { readonly body?: unknown } = {}): Promise<Response> => {
    const given = new URLSearchParams(String(body)).get('refresh_token') ?? '';
    this.asked.push(given);
    if (given !== `r${this.current}`)
      return Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }));
    this.current += 1;
    const tokens = { access_token: `a${this.current}`, refresh_token: `r${this.current}` };
    return Promise.resolve(Response.json({ ...tokens, token_type: 'Bearer' }));
  };
}

const refusalOf = (token: string) => ({
  response: new Response(null, { status: 401 }),
  token,
  isAgain: false,
});

function rigOf(disk: Disk, clock: Clock = new ManualClock()) {
  const issuer = new Issuer();
  const warnings: string[] = [];
  const from = { store: disk, advice: 'Log in.', clock, warn: (problem: string) => warnings.push(problem) };
  return { issuer, warnings, tokens: new SessionTokens(URL_OF_SERVER, from, issuer.fetch) };
}

describe('new tokens that cannot be saved', () => {
  it('are used all the same, warned of once, and saved with a later request', async () => {
    const disk = new Disk(loginOf('a1', 'r1'));
    const clock = new ManualClock();
    const { tokens, warnings } = rigOf(disk, clock);
    await tokens.token();
    disk.isFull = true;
    await tokens.refused(refusalOf('a1'));
    await expect(tokens.token()).resolves.toBe('a2');
    expect(warnings).toEqual([expect.stringMatching(/login.*could not be saved.*ENOSPC/)]);
    expect(JSON.stringify(warnings)).not.toMatch(/a2|r2/);
    clock.advance(60_000);
    await tokens.token();
    await nextTurn();
    disk.isFull = false;
    await tokens.token();
    expect({ changes: disk.changes, warnings: warnings.length }).toEqual({ changes: 2, warnings: 1 });
    clock.advance(60_000);
    await expect(tokens.token()).resolves.toBe('a2');
    await nextTurn();
    expect(disk.login).toEqual(loginOf('a2', 'r2'));
    clock.advance(60_000);
    await tokens.token();
    expect(disk.changes).toBe(3);
  });

  it('are renewed by the refresh token that came with them, and replace the login that is saved', async () => {
    const disk = new Disk(loginOf('a1', 'r1'));
    const { tokens, issuer } = rigOf(disk);
    await tokens.token();
    disk.isFull = true;
    await tokens.refused(refusalOf('a1'));
    tokens.taken('a2');
    await tokens.refused(refusalOf('a2'));
    tokens.taken('a3');
    disk.isFull = false;
    await tokens.refused(refusalOf('a3'));
    expect(issuer.asked).toEqual(['r1', 'r2', 'r3']);
    expect(disk.login).toEqual(loginOf('a4', 'r4'));
  });

  it('are not used any more when the user has logged in anew', async () => {
    const disk = new Disk(loginOf('a1', 'r1'));
    const { tokens, issuer } = rigOf(disk);
    await tokens.token();
    disk.isFull = true;
    await tokens.refused(refusalOf('a1'));
    tokens.taken('a2');
    disk.isFull = false;
    disk.login = loginOf('anew', 'n1');
    await tokens.refused(refusalOf('a2'));
    await expect(tokens.token()).resolves.toBe('anew');
    expect(disk.login).toEqual(loginOf('anew', 'n1'));
    expect(issuer.asked).toEqual(['r1']);
  });
});

describe('a renewal that another process was faster with', () => {
  const soon: Clock = {
    now: () => 0,
    schedule: (callback) => {
      queueMicrotask(callback);
      return { cancel: () => undefined };
    },
  };

  it('takes the tokens of the other one, though they are saved a moment later', async () => {
    const disk = new Disk(loginOf('a1', 'used'));
    const { tokens } = rigOf(disk, soon);
    await tokens.token();
    disk.onLoad = () => {
      if (disk.loads === 5) disk.login = loginOf('of the other', 'r1');
    };
    await tokens.refused(refusalOf('a1'));
    await expect(tokens.token()).resolves.toBe('of the other');
  });

  it('is waited for a few times, and not for ever', async () => {
    const disk = new Disk(loginOf('a1', 'used'));
    const { tokens } = rigOf(disk, soon);
    await tokens.token();
    await expect(tokens.refused(refusalOf('a1'))).rejects.toThrow(
      'the stored login could not be renewed (invalid_grant',
    );
    expect(disk.loads).toBeLessThan(20);
  });

  it('is not waited for where the authorization server was not reached', async () => {
    const disk = new Disk(loginOf('a1', 'r1'));
    const clock = new ManualClock();
    const from = { store: disk, advice: 'Log in.', clock, warn: () => undefined };
    const tokens = new SessionTokens(URL_OF_SERVER, from, () => Promise.reject(new Error('ECONNREFUSED')));
    await tokens.token();
    await expect(tokens.refused(refusalOf('a1'))).rejects.toThrow('ECONNREFUSED');
    expect(clock.timerCount).toBe(0);
  });
});

it('a scope that cannot be saved for the next login is told in the error', async () => {
  const disk = new Disk(loginOf('a1', 'r1'));
  const { tokens } = rigOf(disk);
  await tokens.token();
  disk.isFull = true;
  const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' };
  const response = new Response(null, { status: 403, headers });
  await expect(tokens.refused({ response, token: 'a1', isAgain: false })).rejects.toMatchObject({
    message: expect.stringMatching(/needs a login: this needs the scope "write".*not be saved.*ENOSPC/),
    advice: 'Log in.',
  });
});
