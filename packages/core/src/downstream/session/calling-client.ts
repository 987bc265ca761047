import type { Limits } from '../../base/limits.js';
import { takesForms } from '../../routing/client-capability.js';
import type { ClientProfile } from '../../upstream/config/client-profile.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { CallingClient } from '../caller/own-tool-handler.js';

/** What a session lends to the tools of mcpmux itself. */
export interface CallingSession extends Pick<CallingClient, 'session' | 'layers' | 'principal' | 'view'> {
  readonly profile: ClientProfile | undefined;
  readonly asked: ServerRequests;
  readonly limits: Pick<Limits, 'maxAskedPerClient'>;
}

/** A session's client, for the tools of mcpmux itself. */
export function callingClient({ profile, asked, limits, ...client }: CallingSession): CallingClient {
  const { maxAskedPerClient } = limits;
  return {
    session: client.session,
    principal: client.principal,
    view: client.view,
    layers: client.layers,
    takesForms: takesForms(profile?.capabilities ?? {}),
    ask: (method, params, signal) =>
      asked.size < maxAskedPerClient
        ? asked.askOwn(method, params, signal)
        : Promise.resolve({ problem: `it has ${maxAskedPerClient} questions to answer already` }),
  };
}
