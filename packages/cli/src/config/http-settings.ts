import * as z from 'zod';

import { unknownKeys } from './guard-settings.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const filled = z.string().min(1, { error: 'expected a text that is not empty' });
const texts = z.array(filled, { error: 'expected a list of texts: ["dev"]' });
const rights = z.array(z.enum(['manage'], { error: 'expected the right "manage"' }), {
  error: 'expected a list: ["manage"]',
});
const secureUrl = filled.refine(isSecure, {
  error: 'expected an https: URL (http: only for an address of this machine)',
});

const token = z.strictObject(
  {
    hash: z
      .string()
      .regex(/^sha256:[\da-f]{64}$/i, { error: 'expected "sha256:" and 64 hexadecimal digits' })
      .describe('SHA-256 of the token: "sha256:" and 64 hexadecimal digits.'),
    principal: filled.describe('The name of whoever has the token, for rules and logs.'),
    roles: texts.optional(),
    rights: rights.optional().describe('"manage": may use add_server although it is denied to others.'),
  },
  { error: unknownKeys('a token') },
);

const jwt = z
  .strictObject(
    {
      jwksUrl: secureUrl.describe('Where the keys of the authorization server are.'),
      issuer: filled.describe('What "iss" must be.'),
      audience: filled.describe('What "aud" must hold: this mcpmux, and nobody else.'),
      rolesClaim: filled.optional().describe('The claim with the roles; "roles" when absent.'),
      manageRoles: texts.optional().describe('Whoever has one of these roles has the right to manage.'),
    },
    { error: unknownKeys('jwt') },
  )
  .describe('Access tokens that an authorization server has signed.');

const resource = z
  .strictObject(
    {
      url: secureUrl.describe('The URL at which clients reach this mcpmux, with its path.'),
      authorizationServers: z.array(secureUrl, { error: 'expected a list of URLs' }).min(1),
      scopes: texts.optional(),
    },
    { error: unknownKeys('resource') },
  )
  .describe('Where clients get tokens (OAuth 2.0 protected resource metadata, RFC 9728).');

/** Who is let in over HTTP. */
export const httpSettings = z
  .strictObject(
    {
      tokens: z.array(token, { error: 'expected a list of tokens' }).optional(),
      jwt: jwt.optional(),
      resource: resource.optional(),
    },
    { error: unknownKeys('http') },
  )
  .meta({ description: 'Who is let in by mcpmux serve --http.' });

/** The section `http` of a config. */
export type HttpSettings = z.infer<typeof httpSettings>;

/** Keys that come over a network that others are on must come from whom they say. */
function isSecure(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}
