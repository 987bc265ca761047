import type {
  CallToolResult,
  ListedPrompt,
  ListedResource,
  ListedTemplate,
  ListedTool,
  PromptResult,
  ResourceResult,
} from '../client/session/host-results.js';
import { listAll } from '../client/session/host-lists.js';
import type { CallOptions, LocalClient, RequestOptions } from '../client/session/local-client.js';
import type { HostRequests, ListToolsOptions } from './host-requests.js';

/** The host's requests. The host is a client like any other. */
export abstract class HostClient implements HostRequests {
  /** Connects the host on its first request. */
  protected abstract asClient<Result>(work: (client: LocalClient) => Promise<Result>): Promise<Result>;
  protected abstract isOwnTool(name: string): boolean;

  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    return this.asClient((client) => client.callTool(name, args, options));
  }

  async listTools({ own = false, ...options }: ListToolsOptions = {}): Promise<readonly ListedTool[]> {
    const tools = await this.asClient((client) => listAll(client, 'tools', options));
    return own ? tools : tools.filter(({ name }) => !this.isOwnTool(name));
  }

  listPrompts(options?: RequestOptions): Promise<readonly ListedPrompt[]> {
    return this.asClient((client) => listAll(client, 'prompts', options));
  }

  listResources(options?: RequestOptions): Promise<readonly ListedResource[]> {
    return this.asClient((client) => listAll(client, 'resources', options));
  }

  listResourceTemplates(options?: RequestOptions): Promise<readonly ListedTemplate[]> {
    return this.asClient((client) => listAll(client, 'resourceTemplates', options));
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<PromptResult> {
    return this.asClient((client) => client.request('prompts/get', { name, arguments: args }, options, name));
  }

  readResource(uri: string, options: RequestOptions = {}): Promise<ResourceResult> {
    return this.asClient((client) => client.request('resources/read', { uri }, options, uri));
  }
}
