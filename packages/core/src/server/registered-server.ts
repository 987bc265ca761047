import { Redactor, type TextMask } from '@mcpmux/kit';
import type { ServerName } from '@mcpmux/namespace';
import { FollowedSandbox } from '@mcpmux/sandbox';

import { configSecrets } from './config/config-secrets.js';
import { redactCommand, type RedactedCommand } from './config/redact-command.js';
import type { Layer } from './config/layer.js';
import type { AnyServerConfig } from './config/server-config.js';
import type { ExternalControl } from './config/server-manager.js';
import type { Registration } from './lists/registration.js';
import type { ToolFilter } from './lists/tool-filter.js';

/** The maximum number of command outputs to mask. When it is exceeded, the oldest are dropped. */
const MAX_MASKED_OUTPUTS = 100;

/** The properties of a registered server. Except for its secrets, they stay the same while it is registered. */
export class RegisteredServer<Server> {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** The layer in which the server is registered. Clients in this layer see the server. */
  readonly layer: Layer<Server>;
  /** The position of the server's entries in merged lists. Servers added to the layer later have higher positions. */
  readonly position: number;
  /** The id of the principal whose agent added the server; undefined for the host's servers. */
  readonly addedBy: string | undefined;
  /** The reason why clients share the server, or why each client has its own run. */
  readonly scopeReason: string | undefined;
  /** Removes and reloads the server in all muxes that have it. */
  readonly manager: ExternalControl | undefined;
  /** The configuration that identifies the server for pinned tools; `config` if undefined. */
  readonly pinnedAs: AnyServerConfig | undefined;
  /** The filter for the server's tools. */
  readonly view: ToolFilter | undefined;
  /** Reads the configuration again when a server with an unusable one is reloaded. */
  readonly reread: Registration<Server>['reread'];
  /** The client sandbox that the server follows; undefined if it follows none. */
  readonly followedSandbox: FollowedSandbox | undefined;
  /** The server's command, without secrets. */
  readonly redactedCommand: RedactedCommand;
  private commandOutputs: readonly string[] = [];
  /** The secrets in the server's configuration, and the outputs of its commands. */
  secrets: readonly string[];

  constructor(registration: Registration<Server>, environment: NodeJS.ProcessEnv) {
    const { name, config, layer, view } = registration;
    this.name = name;
    this.config = config;
    this.layer = layer;
    this.position = registration.position;
    this.view = view;
    this.reread = registration.reread;
    this.addedBy = registration.addedBy;
    this.scopeReason = registration.scopeReason;
    this.manager = registration.manager;
    this.pinnedAs = registration.pinnedAs;
    const followsSandbox = 'sandbox' in config && config.sandbox?.follow !== undefined;
    this.followedSandbox = followsSandbox ? new FollowedSandbox() : undefined;
    this.redactedCommand = redactCommand(config, environment);
    this.secrets = [...configSecrets(config), ...this.redactedCommand.secrets];
  }

  /**
   * Adds a command's output and returns a mask that includes it. Earlier outputs stay in the mask, because a running
   * server may print them.
   */
  protected addSecret(value: string): TextMask {
    this.commandOutputs = [...this.commandOutputs.filter((known) => known !== value), value].slice(
      -MAX_MASKED_OUTPUTS,
    );
    this.secrets = [...configSecrets(this.config), ...this.redactedCommand.secrets, ...this.commandOutputs];
    return new Redactor(this.secrets);
  }
}
