import type { Limits } from '../../base/limits.js';
import { takesForms } from '../../dialect/missing-capability.js';
import type { ClientProfile } from '../../dialect/client-profile.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import type { CallingClient } from '../caller/own-tool-handler.js';

/** What a session lends to the tools of mcpmux itself. */
export interface CallingSession extends Pick<CallingClient, 'session' | 'layers' | 'principal' | 'view'> {
  readonly profile: ClientProfile | undefined;
  readonly asked: ServerRequests;
  readonly limits: Pick<Limits, 'maxAskedPerClient'>;
  readonly dialect: ClientDialect;
}

/** A session's client, for the tools of mcpmux itself. */
export function callingClient({ profile, asked, limits, dialect, ...client }: CallingSession): CallingClient {
  const { maxAskedPerClient } = limits;
  return {
    session: client.session,
    principal: client.principal,
    view: client.view,
    layers: client.layers,
    takesForms: takesForms(profile?.capabilities ?? {}),
    elicit: (form, signal) =>
      asked.size < maxAskedPerClient
        ? dialect.elicit(asked, form, signal)
        : Promise.resolve({ problem: `it has ${maxAskedPerClient} questions to answer already` }),
  };
}
