import { auth, extractWWWAuthenticateParams, IssuerMismatchError } from '@modelcontextprotocol/client';

import { thrownProblem } from './describe-problem.js';
import { HttpClient } from './http-client.js';
import type { LoginInit } from './login-init.js';
import type { Login } from './login-store.js';
import { LoginProvider } from './sdk-login-provider.js';
import { remoteEndpoint } from './remote-endpoint.js';
import { RemoteError } from './remote-error.js';
import type { Fetch } from './remote-transport.js';
import { redactUrl } from '../redact/redact-url.js';

/** Documents of authorization servers are small. */
const BODY = { maxMessageBytes: 1024 * 1024, whenReadable: () => Promise.resolve() };

/** {@link logIn} by the SDK: discovery, registration, PKCE and the exchange of the code are its. */
export async function sdkLogin(init: LoginInit, probe: string): Promise<Login> {
  const { url, headers } = remoteEndpoint(init.url, init.headers);
  const http = new HttpClient(BODY);
  const where = redactUrl(url.href);
  try {
    const asked = await challenge({ url, headers, probe }, http.fetch);
    const provider = new LoginProvider(init);
    const scope = init.scope ?? asked.scope;
    const options = {
      serverUrl: url,
      fetchFn: http.fetch,
      ...(asked.resourceMetadataUrl && { resourceMetadataUrl: asked.resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    await auth(provider, options);
    const { code, state, iss } = await init.authorize(pageOf(provider));
    if (state !== provider.ownState)
      throw new RemoteError('the answer belongs to another login and was ignored');
    await auth(provider, { ...options, authorizationCode: code, ...(iss !== undefined && { iss }) });
    const { login } = provider;
    if (login === undefined) throw new RemoteError(`mcpmux got no token for ${where}`);
    return login;
  } catch (error) {
    // The rest of its message was chosen by the server that answered.
    if (error instanceof IssuerMismatchError)
      throw new RemoteError('the answer is from another authorization server and was ignored');
    throw thrownProblem(where, error);
  } finally {
    http.destroy();
  }
}

/** The request that the server is to refuse. */
interface Probing {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly probe: string;
}

/** How to log in, as the server says; empty when the server says nothing. Throws when no login is needed. */
async function challenge(
  { url, headers, probe }: Probing,
  fetch: Fetch,
): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: probe,
  });
  await response.body?.cancel();
  if (response.ok) throw new RemoteError(`${redactUrl(url.href)} answers without a login`);
  return extractWWWAuthenticateParams(response);
}

/** The authorization server has chosen this url: it is to open a page, and nothing else. */
function pageOf({ page }: LoginProvider): URL {
  if (page !== undefined && /^https?:$/.test(page.protocol)) return page;
  throw new RemoteError('the authorization server has no login page');
}
