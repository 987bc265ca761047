import type { IncomingMessage } from 'node:http';

import type { TextMask } from '@mcpmux/kit';

import { statusError, toRemoteError } from './describe-problem.js';
import { headersOf, type HttpRequest } from './http-client.js';
import { redirectTarget, describeRedirect } from './redirect.js';
import { parseDetail, readRefusalDetail } from './refusal-detail.js';
import type { RemoteError } from './remote-error.js';
import type { RemoteHttp } from './remote-http.js';
import type { RemoteTokens } from './remote-tokens.js';
import { isScopeChallenge, isInvalidTokenChallenge } from './scopes.js';
import { mentionsSession } from './session-refusal.js';
import { Sending } from './sending.js';

const MAX_REDIRECTS = 5;
/** Matches a rejection's text that reports an expired token. */
const EXPIRED_TOKEN_TEXT = /\binvalid_token\b|\btoken\b.*\bexpired\b|\bexpired\b.*\btoken\b/i;

/** Sends requests with tokens to one server, only within that server's origin. Converts rejections to errors. */
export class ServerHttp {
  /**
   * @param redactedUrl the URL without secrets, for errors
   * @param mask removes secrets from the text of a rejection
   */
  constructor(
    private readonly redactedUrl: string,
    private readonly http: RemoteHttp,
    private readonly tokens: RemoteTokens | undefined,
    private readonly mask: TextMask,
  ) {}

  /**
   * Resolves to a successful response, or to a 405 response if the server does not support the method. Rejects with
   * {@link RemoteError} for any other response, or if no response arrives.
   *
   * @param isResponse returns true for an error response that resolves like a success
   */
  async send(
    url: URL,
    request: HttpRequest,
    sending = new Sending(),
    isResponse: (response: IncomingMessage) => boolean = () => false,
  ): Promise<IncomingMessage> {
    try {
      const response = await this.sendWithToken(url, request, sending);
      const status = response.statusCode ?? 0;
      if (isResponse(response)) return response;
      if (isSuccessStatus(status) || (status === 405 && request.method !== 'POST')) return response;
      throw await this.responseError(url, response);
    } catch (error) {
      throw toRemoteError(this.redactedUrl, error);
    }
  }

  /** Returns the error for a rejection whose body has already been read. */
  refusalError({ statusCode = 0, headers }: IncomingMessage, text: string): RemoteError {
    const { redactedUrl, mask } = this;
    return statusError(redactedUrl, statusCode, parseDetail(text, mask, headers['content-type']));
  }

  private async sendWithToken(url: URL, request: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    const { tokens } = this;
    if (tokens === undefined) return this.sendWithinOrigin(url, request, sending);
    const refusedStatuses = new Set<number>();
    for (;;) {
      const token = await tokens.token();
      const headers =
        token === undefined ? request.headers : { ...request.headers, authorization: `Bearer ${token}` };
      const message = await this.sendWithinOrigin(url, { ...request, headers }, sending);
      const { statusCode = 0 } = message;
      if (statusCode !== 401 && statusCode !== 403) {
        if (token !== undefined) tokens.taken(token);
        return message;
      }
      const sessionError = statusCode === 401 ? await this.lostSessionError(request, message) : undefined;
      if (sessionError !== undefined) throw sessionError;
      const response = new Response(null, { status: statusCode, headers: headersOf(message) });
      const isMissingScope = isScopeChallenge(response);
      if (statusCode === 403 && !isMissingScope) await this.requireExpiredToken(message, response.headers);
      message.resume();
      // A response that reports an invalid token is treated as 401, regardless of its status.
      const refusal =
        statusCode === 403 && !isMissingScope
          ? new Response(null, { status: 401, headers: response.headers })
          : response;
      await tokens.refused({ response: refusal, token, isAgain: refusedStatuses.has(refusal.status) });
      refusedStatuses.add(refusal.status);
    }
  }

  /** Throws if a 403 response does not mention an expired token. */
  private async requireExpiredToken(response: IncomingMessage, headers: Headers): Promise<void> {
    const { redactedUrl, mask } = this;
    if (isInvalidTokenChallenge(headers)) return;
    const detail = await readRefusalDetail(response, mask);
    if (!EXPIRED_TOKEN_TEXT.test(detail.text ?? '')) throw statusError(redactedUrl, 403, detail);
  }

  /**
   * Resolves to the error if the session is lost. Some servers respond to an unknown session with 401. Unlike a 401 for
   * a missing token, that response does not name an authentication scheme.
   */
  private async lostSessionError(
    { headers }: HttpRequest,
    response: IncomingMessage,
  ): Promise<RemoteError | undefined> {
    if (headers['mcp-session-id'] === undefined || 'www-authenticate' in response.headers) return undefined;
    const { redactedUrl, mask } = this;
    const detail = await readRefusalDetail(response, mask);
    return mentionsSession(detail.text ?? '') ? statusError(redactedUrl, 401, detail) : undefined;
  }

  private async sendWithinOrigin(
    from: URL,
    request: HttpRequest,
    sending: Sending,
  ): Promise<IncomingMessage> {
    let url = from;
    for (let count = 0; ; count += 1) {
      const response = await this.http.send(url, request, sending);
      const redirectUrl = count < MAX_REDIRECTS ? redirectTarget(url, request.method, response) : undefined;
      if (redirectUrl === undefined) return response;
      response.resume();
      url = redirectUrl;
    }
  }

  private async responseError(url: URL, response: IncomingMessage): Promise<RemoteError> {
    const { redactedUrl, mask } = this;
    const redirectDescription = describeRedirect(url, response);
    if (redirectDescription !== undefined) {
      response.resume();
      return toRemoteError(redactedUrl, new Error(redirectDescription));
    }
    return statusError(redactedUrl, response.statusCode ?? 0, await readRefusalDetail(response, mask));
  }
}

function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}
