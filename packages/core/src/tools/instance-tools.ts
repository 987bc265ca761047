import type { OwnToolContext } from '../downstream/caller/own-tool-handler.js';
import type { Addition } from '../registry/addition.js';
import { Upstream } from '../upstream/upstream.js';
import {
  InstanceConnections,
  type InstanceConnectionComponents,
  type SeenInstance,
} from './instance-connections.js';
import type { InstanceToolName } from './instance-definitions.js';
import { INPUT_SCHEMAS, parseInput, type OwnToolInput } from './input-schemas.js';

/** What {@link InstanceTools} answer with: structured content as JSON text, or what is wrong with the arguments. */
export type InstanceToolOutcome = { readonly json: string } | { readonly problem: string };

/** How connections are told of that are there, or on their way. */
export interface ConnectionAnswers {
  running(upstream: Upstream, context: OwnToolContext): string;
  added(addition: Addition, context: OwnToolContext): Promise<string>;
}

/** What each of the tools for other instances does. */
export class InstanceTools {
  private readonly connections: InstanceConnections;

  constructor(
    components: InstanceConnectionComponents,
    private readonly answers: ConnectionAnswers,
  ) {
    this.connections = new InstanceConnections(components);
  }

  /** @throws MuxError for what cannot be done */
  async run(tool: InstanceToolName, args: unknown, context: OwnToolContext): Promise<InstanceToolOutcome> {
    switch (tool) {
      case 'list_instances': {
        const parsed = parseInput(tool, INPUT_SCHEMAS.list_instances, args);
        return 'problem' in parsed ? parsed : { json: await this.list(context) };
      }
      case 'connect_instance': {
        const parsed = parseInput(tool, INPUT_SCHEMAS.connect_instance, args);
        return 'problem' in parsed ? parsed : { json: await this.connect(parsed.input, context) };
      }
      case 'disconnect_instance': {
        const parsed = parseInput(tool, INPUT_SCHEMAS.disconnect_instance, args);
        if ('problem' in parsed) return parsed;
        const { name, id } = await this.connections.disconnect(parsed.input.instance_id, context);
        return { json: JSON.stringify({ name, instance_id: id, disconnected: true }) };
      }
    }
  }

  private async list(context: OwnToolContext): Promise<string> {
    const seen = await this.connections.list(context);
    return JSON.stringify({ instances: seen.map(entryOf) });
  }

  private async connect(
    { instance_id: id, name }: OwnToolInput<'connect_instance'>,
    context: OwnToolContext,
  ): Promise<string> {
    const connected = await this.connections.connect(id, name, context);
    return connected instanceof Upstream
      ? this.answers.running(connected, context)
      : this.answers.added(connected, context);
  }
}

function entryOf({ instance, connection }: SeenInstance): object {
  const { id, name, pid, started, root, config } = instance;
  return { instance_id: id, name, pid, started, root, config, connected_as: connection?.name };
}
