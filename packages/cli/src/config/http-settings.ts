import { z, type Checked } from '../base/zod.js';
import { filled, optional, unknownKeys } from './schema-parts.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const texts = z.array(filled, { error: 'expected a list of texts: ["dev"]' });
const rights = z.array(z.enum(['manage'], { error: 'expected the right "manage"' }), {
  error: 'expected a list: ["manage"]',
});
const secureUrl = filled.check(
  z.refine(isSecure, { error: 'expected an https: URL (http: only for an address of this machine)' }),
);

const token = z.strictObject(
  {
    hash: z
      .string()
      .check(
        z.regex(/^sha256:[\da-f]{64}$/i, { error: 'expected "sha256:" and 64 hexadecimal digits' }),
        z.describe('SHA-256 of the token: "sha256:" and 64 hexadecimal digits.'),
      ),
    principal: filled.check(z.describe('The name of whoever has the token, for rules and logs.')),
    roles: z.optional(texts),
    rights: optional(rights, '"manage": may use add_server although it is denied to others.'),
  },
  { error: unknownKeys('a token') },
);

const jwt = z
  .strictObject(
    {
      jwksUrl: secureUrl.check(z.describe('Where the keys of the authorization server are.')),
      issuer: filled.check(z.describe('What "iss" must be.')),
      audience: filled.check(z.describe('What "aud" must hold: this mcpmux, and nobody else.')),
      rolesClaim: optional(filled, 'The claim with the roles; "roles" when absent.'),
      manageRoles: optional(texts, 'Whoever has one of these roles has the right to manage.'),
    },
    { error: unknownKeys('jwt') },
  )
  .check(z.describe('Access tokens that an authorization server has signed.'));

const resource = z
  .strictObject(
    {
      url: secureUrl.check(z.describe('The URL at which clients reach this mcpmux, with its path.')),
      authorizationServers: z.array(secureUrl, { error: 'expected a list of URLs' }).check(z.minLength(1)),
      scopes: z.optional(texts),
    },
    { error: unknownKeys('resource') },
  )
  .check(z.describe('Where clients get tokens (OAuth 2.0 protected resource metadata, RFC 9728).'));

/** Who is let in over HTTP. */
export const httpSettings = z
  .strictObject(
    {
      tokens: z.optional(z.array(token, { error: 'expected a list of tokens' })),
      jwt: z.optional(jwt),
      resource: z.optional(resource),
    },
    { error: unknownKeys('http') },
  )
  .check(z.describe('Who is let in by mcpmux serve --http.'));

/** The section `http` of a config. */
export type HttpSettings = Checked<typeof httpSettings>;

/** Keys that come over a network that others are on must come from whom they say. */
function isSecure(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}
