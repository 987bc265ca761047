import type { Semaphore } from '@mcpmux/kit';
import type { LoadRemoteTokens, LoginStore } from '@mcpmux/remote';
import type { Sandbox } from '@mcpmux/sandbox';
import type { ClientProfile } from '../dialect/client-profile.js';
import type { Era } from '../dialect/era.js';
import type { OpenRun } from '../dialect/server-dialect.js';
import type { ProcessGuard } from '../../process/guard.js';
import type { SpawnProcess } from '../../process/server-process.js';
import type { CommandValue } from '../config/server-config.js';
import type { Layer } from '../config/layer.js';
import type { ConnectionComponents } from '../link/calls.js';
import type { EraVerdicts } from '../config/era-verdicts.js';
import type { ToolPins } from '../lists/tool-pins.js';
import type { Inbox } from './run-inbox.js';

/** The dependencies of a server's runs. */
export interface RunComponents extends Omit<ConnectionComponents, 'server' | 'mask' | 'within'> {
  readonly guard: ProcessGuard;
  readonly spawn: SpawnProcess;
  /** Confines the processes of servers whose config has `sandbox`. If absent, these servers do not start. */
  readonly sandbox?: Sandbox | undefined;
  /** Runs the commands in configs. If absent, servers with `commands` do not start. */
  readonly commandValue?: CommandValue | undefined;
  readonly spawnLimiter: Semaphore;
  /** Returns the client whose capabilities mcpmux declares to a starting server in this layer. */
  readonly clientProfile: (layer: Layer) => ClientProfile;
  /** Opens a run in an era that its server supports. */
  readonly open: OpenRun;
  /** Returns the era to try first with a server in this layer. */
  readonly firstEra: (layer: Layer) => Era;
  /** The era for servers whose config has no `protocol`. If absent, mcpmux detects the era. */
  readonly protocol?: 'auto' | Era | undefined;
  readonly verdicts: EraVerdicts;
  /** The environment that servers inherit. */
  readonly environment: NodeJS.ProcessEnv;
  /** Loads the source of tokens for remote servers. */
  readonly remoteTokens: LoadRemoteTokens;
  /** The user's logins to remote servers. */
  readonly logins?: LoginStore | undefined;
  /** Identifies this mux on the machine. */
  readonly instanceId: string;
  /** Returns the next run's number, which is unique in one mux. */
  readonly nextRunId: () => number;
}

/** The dependencies of one mux's servers. `Server` is the type that represents a server. */
export interface UpstreamComponents<Server> extends RunComponents {
  /** The approved definitions of all servers' tools. */
  readonly pins: ToolPins;
  /** Receives the messages that are not responses to mcpmux's requests. */
  readonly inbox: Inbox<Server>;
}
