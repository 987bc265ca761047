import type { Semaphore } from '@mcpmux/kit';
import type { LoadRemoteTokens, LoginStore } from '@mcpmux/remote';
import type { ClientProfile } from '../dialect/client-profile.js';
import type { Era } from '../dialect/era.js';
import type { OpenRun } from '../dialect/server-dialect.js';
import type { ProcessGuard } from '../../process/guard.js';
import type { SpawnProcess } from '../../process/server-process.js';
import type { Layer } from '../config/layer.js';
import type { ConnectionComponents } from '../link/calls.js';
import type { EraVerdicts } from '../config/era-verdicts.js';

/** The dependencies of a run of a server. */
export interface RunComponents extends Omit<ConnectionComponents, 'server' | 'mask'> {
  readonly guard: ProcessGuard;
  readonly spawn: SpawnProcess;
  readonly spawnLimiter: Semaphore;
  /** The client whose capabilities a server in this layer is told when it starts now. */
  readonly clientProfile: (layer: Layer) => ClientProfile;
  /** Opens a run in an era that its server speaks. */
  readonly open: OpenRun;
  /** The era in which a server in this layer is spoken to first. */
  readonly firstEra: (layer: Layer) => Era;
  /** The era of servers whose configuration has no `protocol`; mcpmux finds it out when absent. */
  readonly protocol?: 'auto' | Era | undefined;
  readonly verdicts: EraVerdicts;
  /** The environment that servers inherit. */
  readonly environment: NodeJS.ProcessEnv;
  /** How tokens for servers at urls are got. */
  readonly remoteTokens: LoadRemoteTokens;
  /** The logins of the user at servers at urls. */
  readonly logins?: LoginStore | undefined;
  /** Identifies this mux on the machine. */
  readonly instanceId: string;
  /** Numbers the runs of all servers of one mux. */
  readonly nextRunId: () => number;
}
