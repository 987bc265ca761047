import { describe, expect, it } from 'vitest';

import { contentTypeError, statusError, toRemoteError } from './describe-problem.js';
import { RemoteError } from './remote-error.js';

const WHERE = 'https://example.com/mcp';

function failed(code: string): Error {
  return Object.assign(new Error('raw text'), { code });
}

describe('fault I22: a problem with a server at a url', () => {
  it.each([
    [401, 'answered 401 Unauthorized', 'credentials'],
    [403, 'answered 403 Forbidden', 'do not permit this'],
    [404, 'answered 404 Not Found', 'Check the url'],
    [429, 'answered 429 Too Many Requests', 'Try again later'],
    [502, 'answered 502 Bad Gateway', 'Try again later'],
    [400, 'answered 400 Bad Request', 'url and the headers'],
    [599, 'answered 599', 'Try again later'],
    [508, 'answered 508 Loop Detected', 'Remove the server'],
  ])('with the status %s says so and what to do', (status, problem, advice) => {
    const error = statusError(WHERE, status);
    expect(error.problem).toBe(`${WHERE} ${problem}`);
    expect(error.advice).toContain(advice);
    expect(error.status).toBe(status);
  });

  it.each([
    ['ECONNREFUSED', 'refuses connections', 'Start the server'],
    ['ENOTFOUND', 'a host name that does not exist', 'Check the host name'],
    ['ECONNRESET', 'closed the connection', 'Try again later'],
    ['CERT_HAS_EXPIRED', 'the TLS connection', 'Renew the certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the TLS connection', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the TLS connection', 'check that the server speaks https'],
  ])('of the network (%s) says so and what to do', (code, problem, advice) => {
    const error = toRemoteError(WHERE, failed(code));
    expect(error.problem).toContain(problem);
    expect(error.problem).toContain(`(${code})`);
    expect(error.advice).toContain(advice);
  });

  it('is found below what was thrown', () => {
    const wrapped = new Error('fetch failed', { cause: failed('ECONNREFUSED') });
    expect(toRemoteError(WHERE, wrapped).problem).toContain('refuses connections');
  });

  it('that is known already stays as it is', () => {
    const error = new RemoteError('told');
    expect(toRemoteError(WHERE, error)).toBe(error);
  });

  it.each([
    ['text/html; charset=utf-8', 'an HTML page'],
    ['text/plain', 'content of type text/plain'],
    [null, 'content without a type'],
  ])('whose answer is of type %j names it', (type, what) => {
    expect(contentTypeError(WHERE, 200, type).problem).toBe(`${WHERE} answered with ${what} instead of MCP`);
  });
});
