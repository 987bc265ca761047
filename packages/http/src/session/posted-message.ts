/** A request in a body. */
export interface PostedRequest {
  readonly kind: 'request';
  readonly line: Buffer;
  /** The `idKey` of its id. */
  readonly id: string;
  readonly method: string;
  /** The `idKey` of its progress token. */
  readonly progressToken: string | undefined;
}

/** One message in a body, as far as the front has to know it. Its line is given to the mux. */
export type PostedMessage =
  | PostedRequest
  | {
      readonly kind: 'notification';
      readonly line: Buffer;
      readonly method: string;
      /** The `idKey` of the request that it cancels. */
      readonly cancels: string | undefined;
    }
  | { readonly kind: 'response'; readonly line: Buffer };

/** Why a body is not served. */
export interface BodyProblem {
  readonly problem: string;
  readonly isJson: boolean;
}

/** The problem of a body that is no JSON. */
export const NO_JSON: BodyProblem = { problem: 'The body is not JSON in UTF-8.', isJson: false };
/** The problem of JSON that is no message. */
export const NO_MESSAGE: BodyProblem = { problem: 'The body is not a JSON-RPC message.', isJson: true };

const LINE_ENDS = [0x0a, 0x0d];
const SPACE = 0x20;

/** The same JSON in one line, in the same memory: line ends stand between tokens, where a space means the same. */
export function inOneLine(json: Buffer): Buffer {
  for (const byte of LINE_ENDS) {
    for (let at = json.indexOf(byte); at !== -1; at = json.indexOf(byte, at + 1)) json[at] = SPACE;
  }
  return json;
}
