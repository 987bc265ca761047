import { z, type Checked } from './zod.js';
import { nonEmpty, optional, unknownKeys } from './schema-parts.js';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const stringList = z.array(nonEmpty, { error: 'expected an array of strings: ["dev"]' });
const rights = z.array(z.enum(['manage'], { error: 'expected the right "manage"' }), {
  error: 'expected a list: ["manage"]',
});
const secureUrl = nonEmpty.check(
  z.refine(isSecureUrl, { error: 'expected an https: URL (http: only for an address of this machine)' }),
);

const tokenSchema = z.strictObject(
  {
    hash: z
      .string()
      .check(
        z.regex(/^sha256:[\da-f]{64}$/i, { error: 'expected "sha256:" and 64 hexadecimal digits' }),
        z.describe('SHA-256 of the token: "sha256:" and 64 hexadecimal digits.'),
      ),
    principal: nonEmpty.check(z.describe('The name of the token holder, for rules and logs.')),
    roles: z.optional(stringList),
    rights: optional(rights, '"manage": may use add_server even where it is denied to others.'),
  },
  { error: unknownKeys('a token') },
);

const jwt = z
  .strictObject(
    {
      jwksUrl: secureUrl.check(z.describe('The URL of the public keys of the authorization server.')),
      issuer: nonEmpty.check(z.describe('The required value of the claim "iss".')),
      audience: nonEmpty.check(z.describe('A value in the claim "aud" that only this mcpmux has.')),
      rolesClaim: optional(nonEmpty, 'The claim with the roles; "roles" when absent.'),
      manageRoles: optional(stringList, 'Roles that grant the right "manage".'),
    },
    { error: unknownKeys('jwt') },
  )
  .check(z.describe('Access tokens that an authorization server has signed.'));

const resource = z
  .strictObject(
    {
      url: secureUrl.check(z.describe('The URL at which clients reach this mcpmux, with its path.')),
      authorizationServers: z.array(secureUrl, { error: 'expected a list of URLs' }).check(z.minLength(1)),
      scopes: z.optional(stringList),
    },
    { error: unknownKeys('resource') },
  )
  .check(z.describe('Where clients get tokens (OAuth 2.0 protected resource metadata, RFC 9728).'));

/** The schema of `http`, which specifies the clients that mcpmux admits over HTTP. */
export const httpSettings = z
  .strictObject(
    {
      tokens: z.optional(z.array(tokenSchema, { error: 'expected a list of tokens' })),
      jwt: z.optional(jwt),
      resource: z.optional(resource),
    },
    { error: unknownKeys('http', ['tokens', 'jwt', 'resource']) },
  )
  .check(z.describe('The clients that mcpmux serve --http admits.'));

/** The `http` section of a config. */
export type HttpSettings = Checked<typeof httpSettings>;

/** True for an https URL, or for an http URL of this machine, where requests do not cross a network. */
function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname));
}
