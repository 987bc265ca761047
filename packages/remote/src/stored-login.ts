import { type Checked, z } from '@mcpmux/kit/zod';
import type { Login } from './login-store.js';

/** The saved form of a login. Contains the authorization server's values unchanged. */
const storedLoginSchema = z.looseObject({
  version: z.literal(1),
  /** The authorization server. The tokens are sent to no other server. */
  authorizationServer: z.string(),
  tokenEndpoint: z.string(),
  authMethods: z.optional(z.array(z.string())),
  resource: z.optional(z.string()),
  client: z.object({ client_id: z.string(), client_secret: z.optional(z.string()) }),
  /** Scopes that the login has requested. */
  asked: z.optional(z.string()),
  /** Scopes that the server has since requested. The next login requests them. */
  wanted: z.optional(z.string()),
  tokens: z.object({
    access_token: z.string(),
    refresh_token: z.optional(z.string()),
    scope: z.optional(z.string()),
  }),
});

/** A validated {@link Login}. */
export type StoredLogin = Checked<typeof storedLoginSchema>;

/** Validates a login. Returns undefined for the format of another version. */
export function readLogin(login: Login | undefined): StoredLogin | undefined {
  return storedLoginSchema.safeParse(login).data;
}
