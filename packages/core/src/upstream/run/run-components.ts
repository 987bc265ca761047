import type { Clock } from '../../base/clock.js';
import type { Limits } from '../../base/limits.js';
import type { Logger } from '../../base/logger.js';
import type { Semaphore } from '../../base/semaphore.js';
import type { ProcessGuard } from '../../process/guard.js';
import type { SpawnProcess } from '../../process/server-process.js';
import type { LoginStore } from '../../remote/login-store.js';
import type { LoadRemoteTransports } from '../../remote/remote-transport.js';
import type { ClientProfile } from '../../dialect/client-profile.js';
import type { ServerDialect } from '../../dialect/server-dialect.js';

/** What a run of a server works with. */
export interface RunComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly guard: ProcessGuard;
  readonly spawn: SpawnProcess;
  readonly spawnLimiter: Semaphore;
  /** What the servers speak. */
  readonly dialect: ServerDialect;
  /** The client whose capabilities a server is told when it starts now. */
  readonly clientProfile: () => ClientProfile;
  /** The environment that servers inherit. */
  readonly environment: NodeJS.ProcessEnv;
  /** How servers at urls are reached. */
  readonly remoteTransports: LoadRemoteTransports;
  /** The logins of the user at servers at urls. */
  readonly logins?: LoginStore | undefined;
  /** Identifies this mux on the machine. */
  readonly instanceId: string;
}
