/** The `_meta` field, which any MCP object may have. */
interface Extensible {
  _meta?: Record<string, unknown>;
}

/** A content block's audience, priority and modification time. */
export interface ContentAnnotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}

interface Annotated extends Extensible {
  annotations?: ContentAnnotations;
}

/** A resource's contents: text, or binary data in base64. */
export type ResourceContents = Extensible & { uri: string; mimeType?: string } & (
    | { text: string }
    | { blob: string }
  );

/**
 * One content block of a result, discriminated by `type` and compatible with the official SDKs' types. Servers of later
 * revisions may send other types, so code that must handle them needs a default case.
 */
export type ContentBlock =
  | (Annotated & { type: 'text'; text: string })
  | (Annotated & { type: 'image' | 'audio'; data: string; mimeType: string })
  | (Annotated & { type: 'resource'; resource: ResourceContents })
  | (Annotated & Omit<ListedResource, 'annotations' | '_meta'> & { type: 'resource_link' });

/** A `tools/call` result. Other fields are preserved. */
export interface CallToolResult extends Extensible {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [field: string]: unknown;
}

type Json = string | number | boolean | null | Json[] | JsonObject;

interface JsonObject {
  [key: string]: Json;
}

/** A JSON Schema for an object. */
interface ObjectSchema {
  type: 'object';
  properties?: Record<string, JsonObject>;
  required?: string[];
  [keyword: string]: unknown;
}

/** A tool, as clients see it in a list. */
export interface ListedTool extends Extensible {
  name: string;
  title?: string;
  description?: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations?: {
    title?: string;
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

/** A prompt, as clients see it in a list. */
export interface ListedPrompt extends Extensible {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[];
}

/** A resource, as clients see it in a list. */
export interface ListedResource extends Annotated {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
}

/** A resource template, as clients see it in a list. */
export interface ListedTemplate extends Omit<ListedResource, 'uri' | 'size'> {
  uriTemplate: string;
}

/** A `prompts/get` result. */
export interface PromptResult extends Extensible {
  description?: string;
  messages: { role: 'user' | 'assistant'; content: ContentBlock }[];
  [field: string]: unknown;
}

/** A `resources/read` result. */
export interface ResourceResult extends Extensible {
  contents: ResourceContents[];
  [field: string]: unknown;
}
