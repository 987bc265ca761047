import type { ForwardingReport } from '../forwarding/cell.js';
import type { ForwardingOptions } from '../forwarding/run-forwarding.js';
import type { GatewayReport } from '../gateways/gateway-report.js';
import type { HttpReport } from '../http/run-http.js';
import type { Machine } from '../measure/machine.js';
import type { Curve } from '../scale/curve.js';
import type { OversizedReport } from '../scale/oversized.js';
import type { InstallReport } from '../start-up/install-size.js';
import type { SharedReport } from '../shared/run-shared.js';
import type { SearchReport } from '../search/run-search.js';
import type { StartUpReport } from '../start-up/run-start-up.js';
import type { UrlReport } from '../url/run-urls.js';

/** Everything that one run has measured: the JSON output. Parts that did not run are null. */
export interface Report {
  /** Counts up when a member changes its meaning. */
  readonly format: 1;
  readonly machine: Machine;
  /** Everything was measured once and short: the numbers mean nothing. */
  readonly isSmoke: boolean;
  readonly options: ForwardingOptions;
  /** How long the run took, in seconds. */
  readonly seconds: number;
  /** The share of all CPU time that the hypervisor gave to others meanwhile. */
  readonly stolenShare: number;
  readonly forwarding: ForwardingReport | null;
  readonly startUp: StartUpReport | null;
  readonly install: InstallReport | null;
  readonly scale: readonly Curve[] | null;
  readonly oversized: OversizedReport | null;
  readonly http: HttpReport | null;
  readonly urls: UrlReport | null;
  readonly shared: SharedReport | null;
  readonly gateways: GatewayReport | null;
  readonly search: SearchReport | null;
}
