import type {
  CallToolResult,
  ListedPrompt,
  ListedResource,
  ListedTemplate,
  ListedTool,
  PromptResult,
  ResourceResult,
} from '../client/session/host-results.js';
import type { CallOptions, RequestOptions } from '../client/session/local-client.js';

/** Options for {@link HostRequests.listTools}. */
export interface ListToolsOptions extends RequestOptions {
  /** If true, also lists mcpmux's own tools, such as `add_server`. Defaults to false. */
  readonly own?: boolean;
}

/** Requests that a host can send to a mux, as clients do. */
export interface HostRequests {
  /**
   * Calls a tool by its listed name. If the tool fails, resolves to a result with `isError`.
   *
   * @throws MuxError CALL_FAILED for a protocol error such as an unknown tool, CANCELLED, CLOSED
   */
  callTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<CallToolResult>;
  /**
   * Returns the tools that clients see, as in `tools/list`. The tools of servers that are still starting are absent.
   *
   * @throws MuxError CANCELLED, CLOSED
   */
  listTools(options?: ListToolsOptions): Promise<readonly ListedTool[]>;
  /** Returns the prompts that clients see, as in `prompts/list`. */
  listPrompts(options?: RequestOptions): Promise<readonly ListedPrompt[]>;
  /** Returns the resources that clients see, as in `resources/list`. */
  listResources(options?: RequestOptions): Promise<readonly ListedResource[]>;
  /** Returns the resource templates that clients see, as in `resources/templates/list`. */
  listResourceTemplates(options?: RequestOptions): Promise<readonly ListedTemplate[]>;
  /**
   * Gets a prompt by its listed name.
   *
   * @throws MuxError CALL_FAILED, CANCELLED, CLOSED
   */
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<PromptResult>;
  /**
   * Reads a resource by its listed URI.
   *
   * @throws MuxError CALL_FAILED, CANCELLED, CLOSED
   */
  readResource(uri: string, options?: RequestOptions): Promise<ResourceResult>;
}
