import { type Edit, type OutgoingLine, type Span, splicedLine } from '@mcpmux/wire';

/** A client's request on its way to the server: the original line and what is replaced in it. */
export interface OutgoingCall {
  readonly line: Buffer;
  readonly id: Span;
  /** Where the client's progress token stands, if it gave one. */
  readonly progressToken: Span | undefined;
  /** Further replacements, such as the tool's name. */
  readonly edits: readonly Edit[];
}

/** The line of a call for the server. The id that it is given doubles as its progress token. */
export function issuedLine({ line, id, progressToken, edits }: OutgoingCall, issuedId: number): OutgoingLine {
  const replaced: Edit[] = [{ span: id, bytes: issuedId }, ...edits];
  if (progressToken !== undefined) replaced.push({ span: progressToken, bytes: issuedId });
  return splicedLine(line, replaced);
}
