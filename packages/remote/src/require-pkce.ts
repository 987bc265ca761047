import { redactUrl } from '@mcpmux/kit';
import { RemoteError } from './remote-error.js';

const METHOD = 'S256';
const ADVICE =
  'MCP has a client stop there: without PKCE whoever intercepts the code gets the token. The operator of the ' +
  'authorization server has to support S256 and to say so in its metadata.';

/** The discovered metadata of an authorization server. */
interface Discovered {
  readonly authorizationServerUrl: string;
  readonly authorizationServerMetadata?:
    | { readonly code_challenge_methods_supported?: readonly string[] | undefined }
    | undefined;
}

/**
 * Checks that the authorization server supports PKCE. The specification (2025-11-25, authorization) requires clients to
 * look for PKCE in the metadata, and to refuse a server without it.
 *
 * @throws RemoteError if the metadata do not state that the authorization server supports PKCE with S256
 */
export function requirePkce({
  authorizationServerUrl,
  authorizationServerMetadata: metadata,
}: Discovered): void {
  const methods = metadata?.code_challenge_methods_supported;
  if (methods?.includes(METHOD) === true) return;
  const where = `the authorization server ${redactUrl(authorizationServerUrl)}`;
  throw new RemoteError(
    `${where} does not say that it supports PKCE: ${reason(metadata !== undefined, methods)}`,
    ADVICE,
  );
}

function reason(hasMetadata: boolean, methods: readonly string[] | undefined): string {
  if (!hasMetadata) return 'it has no metadata';
  if (methods === undefined) return 'its metadata have no code_challenge_methods_supported';
  return `${METHOD} is not among its code_challenge_methods_supported`;
}
