/** A request in a body. */
export interface PostedRequest {
  readonly kind: 'request';
  readonly line: Buffer;
  /** The `idKey` of the request's id. */
  readonly id: string;
  readonly method: string;
  /** The `idKey` of the progress token. */
  readonly progressToken: string | undefined;
}

/** The parts of one message in a body that the front needs. The mux gets its line. */
export type PostedMessage =
  | PostedRequest
  | {
      readonly kind: 'notification';
      readonly line: Buffer;
      readonly method: string;
      /** The `idKey` of the request that the notification cancels. */
      readonly cancels: string | undefined;
    }
  | { readonly kind: 'response'; readonly line: Buffer };

/** The reason why a body is not served. */
export interface BodyProblem {
  readonly problem: string;
  readonly isJson: boolean;
}

/** The problem of a body that is not valid JSON. */
export const NO_JSON: BodyProblem = { problem: 'The body is not JSON in UTF-8.', isJson: false };
/** The problem of JSON that is not a message. */
export const NO_MESSAGE: BodyProblem = { problem: 'The body is not a JSON-RPC message.', isJson: true };

const LINE_ENDS = [0x0a, 0x0d];
const SPACE = 0x20;

/**
 * Returns the same JSON in one line, in the same memory. Line ends occur only between tokens, where a space means the
 * same.
 */
export function inOneLine(json: Buffer): Buffer {
  for (const byte of LINE_ENDS) {
    for (let at = json.indexOf(byte); at !== -1; at = json.indexOf(byte, at + 1)) json[at] = SPACE;
  }
  return json;
}
