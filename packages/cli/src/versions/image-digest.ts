import { messageOf } from '@mcpmux/core';

/** The accepted manifest types. Multi-platform indexes come first, because `docker run` uses an index's digest. */
const ACCEPT_HEADER = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const TIMEOUT_MS = 10_000;

/**
 * Fetches an image tag's current digest from the image's registry, without a login.
 *
 * @throws Error whose message does not name the image
 */
export async function fetchImageDigest(
  image: string,
  fetch: (url: string, init: RequestInit) => Promise<Response> = globalThis.fetch,
): Promise<string> {
  const { baseUrl, repository, tag } = parseImage(image);
  const url = `${baseUrl}/v2/${repository}/manifests/${tag}`;
  const ask = async (headers: Record<string, string>): Promise<Response> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await fetch(url, { method: 'HEAD', headers: { accept: ACCEPT_HEADER, ...headers }, signal });
    } catch (error) {
      // The error message from `fetch` is only "fetch failed". The error's cause has the details.
      const { cause = error } = error instanceof Error ? error : {};
      throw new Error(`its registry cannot be reached: ${messageOf(cause)}`, { cause: error });
    }
  };
  const first = await ask({});
  const challenge = first.status === 401 ? first.headers.get('www-authenticate') : null;
  const answer =
    challenge === null
      ? first
      : await ask({ authorization: `Bearer ${await fetchAnonymousToken(challenge, repository, fetch)}` });
  const digest = answer.headers.get('docker-content-digest') ?? '';
  if (answer.ok && /^sha256:[a-f\d]{64}$/.test(digest)) return digest;
  throw new Error(`its registry answers with the status ${answer.status}`);
}

/** Parses an image name into the registry's URL, the repository and the tag, by the rules of `docker pull`. */
function parseImage(image: string): {
  readonly baseUrl: string;
  readonly repository: string;
  readonly tag: string;
} {
  const tag = /:([\w.-]+)$/.exec(image)?.[1] ?? 'latest';
  const path = image.replace(/:[\w.-]+$/, '');
  const [first = '', ...rest] = path.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  if (isHost && !/^(?:index\.|registry-1\.)?docker\.io$/.test(first)) {
    const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+)(?::\d+)?$/.test(first);
    return { baseUrl: `${isLocal ? 'http' : 'https'}://${first}`, repository: rest.join('/'), tag };
  }
  const name = isHost ? rest : [first, ...rest];
  const repository = name.length === 1 ? `library/${name[0] ?? ''}` : name.join('/');
  return { baseUrl: 'https://registry-1.docker.io', repository, tag };
}

/** Fetches an anonymous token from the realm URL in the registry's challenge (Docker Registry token authentication). */
async function fetchAnonymousToken(
  challenge: string,
  repository: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<string> {
  const params = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  const realm = params.get('realm') ?? '';
  if (!/^Bearer /i.test(challenge) || !URL.canParse(realm)) throw new Error('its registry wants a login');
  const url = new URL(realm);
  url.searchParams.set('service', params.get('service') ?? '');
  url.searchParams.set('scope', `repository:${repository}:pull`);
  const answer = await fetch(url.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body: unknown = answer.ok ? await answer.json() : undefined;
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
  if (typeof token === 'string') return token;
  throw new Error('its registry wants a login');
}
