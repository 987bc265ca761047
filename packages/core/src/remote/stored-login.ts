import * as z from 'zod';

import type { Login } from './login-store.js';

/** A login as it is kept. What the authorization server has said stays as it was. */
const schema = z.looseObject({
  version: z.literal(1),
  /** The authorization server: no other one is sent the tokens. */
  authorizationServer: z.string(),
  tokenEndpoint: z.string(),
  authMethods: z.array(z.string()).optional(),
  resource: z.string().optional(),
  client: z.object({ client_id: z.string(), client_secret: z.string().optional() }),
  tokens: z.object({
    access_token: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
  }),
});

/** {@link Login}, read. */
export type StoredLogin = z.infer<typeof schema>;

/** Undefined for what another version has written. */
export function readLogin(login: Login | undefined): StoredLogin | undefined {
  return schema.safeParse(login).data;
}
