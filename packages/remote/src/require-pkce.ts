import { redactUrl } from '@mcpmux/kit';
import { RemoteError } from './remote-error.js';

const CHALLENGE_METHOD = 'S256';
const PKCE_ADVICE =
  'MCP has a client stop there: without PKCE whoever intercepts the code gets the token. The operator of the ' +
  'authorization server has to support S256 and to say so in its metadata.';

/** An authorization server's discovered metadata. */
interface DiscoveredServer {
  readonly authorizationServerUrl: string;
  readonly authorizationServerMetadata?:
    | { readonly code_challenge_methods_supported?: readonly string[] | undefined }
    | undefined;
}

/**
 * Checks that the authorization server supports PKCE. The specification (2025-11-25, authorization) requires clients to
 * refuse a server whose metadata does not list PKCE.
 *
 * @throws RemoteError if the metadata does not list PKCE with S256
 */
export function requirePkce({
  authorizationServerUrl,
  authorizationServerMetadata: metadata,
}: DiscoveredServer): void {
  const methods = metadata?.code_challenge_methods_supported;
  if (methods?.includes(CHALLENGE_METHOD) === true) return;
  const server = `the authorization server ${redactUrl(authorizationServerUrl)}`;
  throw new RemoteError(
    `${server} does not say that it supports PKCE: ${missingSupportReason(metadata !== undefined, methods)}`,
    PKCE_ADVICE,
  );
}

function missingSupportReason(hasMetadata: boolean, methods: readonly string[] | undefined): string {
  if (!hasMetadata) return 'it has no metadata';
  if (methods === undefined) return 'its metadata have no code_challenge_methods_supported';
  return `${CHALLENGE_METHOD} is not among its code_challenge_methods_supported`;
}
