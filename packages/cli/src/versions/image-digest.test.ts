import { expect, it } from 'vitest';

import { fetchImageDigest } from './image-digest.js';

const DIGEST = `sha256:${'0f'.repeat(32)}`;
const HEADERS = { 'docker-content-digest': DIGEST };

it.each([
  ['alpine', 'https://registry-1.docker.io/v2/library/alpine/manifests/latest'],
  ['mcp/fetch:v1', 'https://registry-1.docker.io/v2/mcp/fetch/manifests/v1'],
  ['docker.io/mcp/fetch', 'https://registry-1.docker.io/v2/mcp/fetch/manifests/latest'],
  ['ghcr.io/a/b/c:1.2', 'https://ghcr.io/v2/a/b/c/manifests/1.2'],
  ['localhost:5000/a', 'http://localhost:5000/v2/a/manifests/latest'],
])('the digest of %s is asked of %s', async (image, url) => {
  const asked: string[] = [];
  const fetch = (to: string): Promise<Response> => {
    asked.push(to);
    return Promise.resolve(new Response(undefined, { headers: HEADERS }));
  };
  expect(await fetchImageDigest(image, fetch)).toBe(DIGEST);
  expect(asked).toEqual([url]);
});

it.each([
  ['without a digest', new Response('', { status: 200 }), 'answers with the status 200'],
  ['that is missing', new Response('', { status: 404 }), 'answers with the status 404'],
  [
    'behind a password',
    new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
    'wants a login',
  ],
])('an image %s has no digest', async (_, answer, message) => {
  await expect(fetchImageDigest('a/b', () => Promise.resolve(answer))).rejects.toThrow(message);
});

it('a registry that cannot be reached is reported with the reason', async () => {
  const failed = new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND ghcr.io') });
  await expect(fetchImageDigest('ghcr.io/a/b', () => Promise.reject(failed))).rejects.toThrow(
    'its registry cannot be reached: getaddrinfo ENOTFOUND ghcr.io',
  );
});
