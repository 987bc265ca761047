import type { ServerName } from '@mcpmux/namespace';

import { redactCommand, type RedactedCommand } from './config/redact-command.js';
import type { Layer } from './config/layer.js';
import type { AnyServerConfig } from './config/server-config.js';
import type { ExternalControl } from './config/server-manager.js';
import type { Registration } from './lists/registration.js';
import type { ToolFilter } from './lists/tool-filter.js';

/** The part of a server that does not change while it is registered. */
export class RegisteredServer<Server> {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** Where it is registered: clients in this layer see it. */
  readonly layer: Layer<Server>;
  /** Where its entries stand in the merged lists. Grows with every server that is added to its layer. */
  readonly position: number;
  /** The id of the principal whose agent has added it; undefined for servers of the host. */
  readonly addedBy: string | undefined;
  /** Why its clients share it, or why each has a run of its own. */
  readonly scopeReason: string | undefined;
  /** Removes and reloads it for all muxes that have it. */
  readonly manager: ExternalControl | undefined;
  /** The configuration by which its pinned tools are recognized; `config` if undefined. */
  readonly pinnedAs: AnyServerConfig | undefined;
  /** The filter of its tools for clients. */
  readonly view: ToolFilter | undefined;
  /** Reads its configuration anew, where the one that it has cannot be used. */
  readonly reread: Registration<Server>['reread'];
  /** Its command without secrets. */
  readonly shown: RedactedCommand;
  /** Resolves when the runs of a former server of the same name have ended: no run begins before. */
  protected readonly predecessorGone: Promise<unknown> | undefined;

  constructor(registration: Registration<Server>, environment: NodeJS.ProcessEnv) {
    const { name, config, layer, view } = registration;
    this.name = name;
    this.config = config;
    this.layer = layer;
    this.position = registration.position;
    this.predecessorGone = registration.predecessorGone;
    this.view = view;
    this.reread = registration.reread;
    this.addedBy = registration.addedBy;
    this.scopeReason = registration.scopeReason;
    this.manager = registration.manager;
    this.pinnedAs = registration.pinnedAs;
    this.shown = redactCommand(config, environment);
  }
}
