import type { Edit, Span } from '@mcpmux/wire';

/** A client's request on its way to the server: the original line and what is replaced in it. */
export interface OutgoingCall {
  readonly line: Buffer;
  readonly id: Span;
  /** Where the client's progress token stands, if it gave one. */
  readonly progressToken: Span | undefined;
  /** Further replacements, such as the tool's name. */
  readonly edits: readonly Edit[];
}
