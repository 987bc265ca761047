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

/** The maximum number of command outputs to hide. Beyond it, the oldest are dropped. */
const MAX_MASKED_OUTPUTS = 100;

/** The properties of a registered server. Except for its secrets, they stay the same while it is registered. */
export class RegisteredServer<Server> {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** The layer in which the server is registered. Only clients in this layer or an inner one see the server. */
  readonly layer: Layer<Server>;
  /** Determines where the server's entries appear in merged lists. Later servers of a layer have higher positions. */
  readonly position: number;
  /** The id of the principal whose agent added the server. Undefined for the host's servers. */
  readonly addedBy: string | undefined;
  /** Why clients share the server, or why each client has its own run. */
  readonly scopeReason: string | undefined;
  /** Removes and reloads the server in every mux that has it. */
  readonly manager: ExternalControl | undefined;
  /** The config that identifies the server for pinned tools. Undefined if it is `config`. */
  readonly pinnedAs: AnyServerConfig | undefined;
  /** The filter for the server's tools. */
  readonly view: ToolFilter | undefined;
  /** Reads the config again when a server whose config is unusable is reloaded. */
  readonly reread: Registration<Server>['reread'];
  /** The client sandbox that the server follows, or undefined. */
  readonly followedSandbox: FollowedSandbox | undefined;
  /** The server's command, without secrets. */
  readonly redactedCommand: RedactedCommand;
  private commandOutputs: readonly string[] = [];
  /** The secrets in the server's config, and the outputs of the config's commands. */
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
   * Adds a command's output to the secrets, and returns a mask that hides it. Earlier outputs stay hidden, because a
   * running server may print them.
   */
  protected addSecret(value: string): TextMask {
    this.commandOutputs = [...this.commandOutputs.filter((known) => known !== value), value].slice(
      -MAX_MASKED_OUTPUTS,
    );
    this.secrets = [...configSecrets(this.config), ...this.redactedCommand.secrets, ...this.commandOutputs];
    return new Redactor(this.secrets);
  }
}
