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

/** Sends the host's requests to the mux through a client that is connected in-process. */
export class HostClient implements HostRequests {
  /** @param client returns the host's connected client, or throws if the mux is closed */
  constructor(
    private readonly client: () => LocalClient,
    private readonly isOwnTool: (name: string) => boolean,
  ) {}

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    return this.client().callTool(name, args, options);
  }

  async listTools({ own = false, ...options }: ListToolsOptions = {}): Promise<readonly ListedTool[]> {
    const tools = await listAll(this.client(), 'tools', options);
    return own ? tools : tools.filter(({ name }) => !this.isOwnTool(name));
  }

  async listPrompts(options?: RequestOptions): Promise<readonly ListedPrompt[]> {
    return listAll(this.client(), 'prompts', options);
  }

  async listResources(options?: RequestOptions): Promise<readonly ListedResource[]> {
    return listAll(this.client(), 'resources', options);
  }

  async listResourceTemplates(options?: RequestOptions): Promise<readonly ListedTemplate[]> {
    return listAll(this.client(), 'resourceTemplates', options);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<PromptResult> {
    return this.client().request('prompts/get', { name, arguments: args }, options, name);
  }

  async readResource(uri: string, options: RequestOptions = {}): Promise<ResourceResult> {
    return this.client().request('resources/read', { uri }, options, uri);
  }
}
