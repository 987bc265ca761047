import { type Checked, z } from '@mcpmux/kit/zod';
import type { Login } from './login-store.js';

/** A login as it is saved. The values of the authorization server are unchanged. */
const schema = z.looseObject({
  version: z.literal(1),
  /** The authorization server: no other one is sent the tokens. */
  authorizationServer: z.string(),
  tokenEndpoint: z.string(),
  authMethods: z.optional(z.array(z.string())),
  resource: z.optional(z.string()),
  client: z.object({ client_id: z.string(), client_secret: z.optional(z.string()) }),
  /** Scopes that the login has asked for. */
  asked: z.optional(z.string()),
  /** Scopes that the server has asked for since: the next login asks for them. */
  wanted: z.optional(z.string()),
  tokens: z.object({
    access_token: z.string(),
    refresh_token: z.optional(z.string()),
    scope: z.optional(z.string()),
  }),
});

/** {@link Login}, read. */
export type StoredLogin = Checked<typeof schema>;

/** Undefined for what another version has written. */
export function readLogin(login: Login | undefined): StoredLogin | undefined {
  return schema.safeParse(login).data;
}
