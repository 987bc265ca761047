import type { IncomingMessage } from 'node:http';

import type { TextMask } from '@mcpmux/kit';

import { statusProblem, toRemoteError } from './describe-problem.js';
import { headersOf, type HttpRequest } from './http-client.js';
import { followed, unfollowed } from './redirect.js';
import { detailIn, refusalDetail } from './refusal-detail.js';
import type { RemoteError } from './remote-error.js';
import type { RemoteHttp } from './remote-http.js';
import type { RemoteTokens } from './remote-tokens.js';
import { isScopeChallenge, isInvalidTokenChallenge } from './scopes.js';
import { speaksOfSession } from './session-refusal.js';
import { Sending } from './sending.js';

const MAX_REDIRECTS = 5;
/** The text of a refusal for a token that must be renewed. */
const EXPIRED = /\binvalid_token\b|\btoken\b.*\bexpired\b|\bexpired\b.*\btoken\b/i;

/** Requests to one server, with its tokens and within its origin. Refusals become errors. */
export class ServerHttp {
  /**
   * @param where the URL without secrets, for messages
   * @param mask removes secrets from the text of a refusal
   */
  constructor(
    private readonly where: string,
    private readonly http: RemoteHttp,
    private readonly tokens: RemoteTokens | undefined,
    private readonly mask: TextMask,
  ) {}

  /**
   * Resolves with a successful response, or with a 405 response if streams or the end of sessions are not supported.
   * Rejects with {@link RemoteError} for all other responses, and if there is no response.
   *
   * @param takes returns true for a refusal that must be returned as a response
   */
  async send(
    url: URL,
    request: HttpRequest,
    sending = new Sending(),
    takes: (response: IncomingMessage) => boolean = () => false,
  ): Promise<IncomingMessage> {
    try {
      const response = await this.withToken(url, request, sending);
      const status = response.statusCode ?? 0;
      if (takes(response)) return response;
      if (isSuccess(status) || (status === 405 && request.method !== 'POST')) return response;
      throw await this.problem(url, response);
    } catch (error) {
      throw toRemoteError(this.where, error);
    }
  }

  /** Returns the error for a refusal that was read as a response with this body. */
  refusal({ statusCode = 0, headers }: IncomingMessage, text: string): RemoteError {
    const { where, mask } = this;
    return statusProblem(where, statusCode, detailIn(text, mask, headers['content-type']));
  }

  private async withToken(url: URL, request: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    const { tokens } = this;
    if (tokens === undefined) return this.withinOrigin(url, request, sending);
    const refusals = new Set<number>();
    for (;;) {
      const token = await tokens.token();
      const headers =
        token === undefined ? request.headers : { ...request.headers, authorization: `Bearer ${token}` };
      const message = await this.withinOrigin(url, { ...request, headers }, sending);
      const { statusCode = 0 } = message;
      if (statusCode !== 401 && statusCode !== 403) {
        if (token !== undefined) tokens.taken(token);
        return message;
      }
      const lost = statusCode === 401 ? await this.lostSession(request, message) : undefined;
      if (lost !== undefined) throw lost;
      const response = new Response(null, { status: statusCode, headers: headersOf(message) });
      const isScope = isScopeChallenge(response);
      if (statusCode === 403 && !isScope) await this.requireExpired(message, response.headers);
      message.resume();
      // A token that is no longer valid is treated as unauthorized, regardless of the status.
      const refusal =
        statusCode === 403 && !isScope
          ? new Response(null, { status: 401, headers: response.headers })
          : response;
      await tokens.refused({ response: refusal, token, isAgain: refusals.has(refusal.status) });
      refusals.add(refusal.status);
    }
  }

  /** Throws for a 403 refusal that does not state that the token has expired. */
  private async requireExpired(response: IncomingMessage, headers: Headers): Promise<void> {
    const { where, mask } = this;
    if (isInvalidTokenChallenge(headers)) return;
    const detail = await refusalDetail(response, mask);
    if (!EXPIRED.test(detail.text ?? '')) throw statusProblem(where, 403, detail);
  }

  /**
   * Resolves with the error for a lost session. Some servers respond with 401 to an unknown session. A server that
   * requires a token names its scheme.
   */
  private async lostSession(
    { headers }: HttpRequest,
    response: IncomingMessage,
  ): Promise<RemoteError | undefined> {
    if (headers['mcp-session-id'] === undefined || 'www-authenticate' in response.headers) return undefined;
    const { where, mask } = this;
    const detail = await refusalDetail(response, mask);
    return speaksOfSession(detail.text ?? '') ? statusProblem(where, 401, detail) : undefined;
  }

  private async withinOrigin(from: URL, request: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    let url = from;
    for (let count = 0; ; count += 1) {
      const response = await this.http.send(url, request, sending);
      const target = count < MAX_REDIRECTS ? followed(url, request.method, response) : undefined;
      if (target === undefined) return response;
      response.resume();
      url = target;
    }
  }

  private async problem(url: URL, response: IncomingMessage): Promise<RemoteError> {
    const { where, mask } = this;
    const redirect = unfollowed(url, response);
    if (redirect !== undefined) {
      response.resume();
      return toRemoteError(where, new Error(redirect));
    }
    return statusProblem(where, response.statusCode ?? 0, await refusalDetail(response, mask));
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
