import { type Checked, z } from '@mcpmux/kit/zod';
import type { Login } from './login-store.js';

/** A login as saved. Contains the authorization server's values unchanged. */
const storedLoginSchema = z.looseObject({
  version: z.literal(1),
  /** The issuer of the tokens. Refresh tokens and credentials are sent to no other authorization server. */
  authorizationServer: z.string(),
  tokenEndpoint: z.string(),
  authMethods: z.optional(z.array(z.string())),
  resource: z.optional(z.string()),
  client: z.object({ client_id: z.string(), client_secret: z.optional(z.string()) }),
  /** Scopes that the login has requested. */
  asked: z.optional(z.string()),
  /** Scopes that the server has demanded since. The next login requests them. */
  wanted: z.optional(z.string()),
  tokens: z.object({
    access_token: z.string(),
    refresh_token: z.optional(z.string()),
    scope: z.optional(z.string()),
  }),
});

/** A validated {@link Login}. */
export type StoredLogin = Checked<typeof storedLoginSchema>;

/** Validates a login. Returns undefined for a login saved in another version's format. */
export function readLogin(login: Login | undefined): StoredLogin | undefined {
  return storedLoginSchema.safeParse(login).data;
}
