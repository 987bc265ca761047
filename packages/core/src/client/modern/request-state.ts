import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { isRecord, MuxError } from '@mcpmux/kit';

/** The sealed content of a `requestState` that mcpmux has issued. */
export interface RequestState {
  /** The id of the mux that parked the request, because several muxes may share a key. */
  readonly mux: string;
  /** The number of the suspension. It is unique in its mux, so that each state is valid for only one retry. */
  readonly suspension: number;
  /** The time when the state expires, in milliseconds since the epoch. */
  readonly expires: number;
  /** The principal of the client that received the state. */
  readonly principal: string;
}

/**
 * The prefix of states that a mux has sealed. A server may itself be a mux; the seal shows which mux issued a state.
 */
const STATE_PREFIX = 'mcpmux1.';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** True if the text has the prefix of a sealed state. Does not verify the seal. */
export function isSealed(text: string): boolean {
  return text.startsWith(STATE_PREFIX);
}

/** Seals states so that clients can neither read nor change them. */
export class StateSeal {
  /**
   * @param sealingKey 32 bytes; states sealed with another key are refused. When absent, a random key is generated
   * @throws MuxError INVALID_CONFIG for a key of another length
   */
  constructor(private sealingKey?: Uint8Array) {
    if (sealingKey === undefined || sealingKey.length === KEY_BYTES) return;
    const problem = `requestStateKey has ${sealingKey.length} bytes; a key has ${KEY_BYTES}.`;
    throw new MuxError('INVALID_CONFIG', problem);
  }

  /**
   * If no key was given, generates one on first use, because loading `node:crypto` would delay startup by milliseconds.
   */
  private get key(): Uint8Array {
    return (this.sealingKey ??= randomBytes(KEY_BYTES));
  }

  seal(state: RequestState): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv);
    const sealedState = Buffer.concat([
      iv,
      cipher.update(JSON.stringify(state)),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return STATE_PREFIX + sealedState.toString('base64url');
  }

  /** Returns the state, or undefined for text that was not sealed with this key. */
  open(text: string): RequestState | undefined {
    if (!isSealed(text)) return undefined;
    const encoded = text.slice(STATE_PREFIX.length);
    const sealedBytes = Buffer.from(encoded, 'base64url');
    // Only the canonical base64url encoding is accepted.
    if (sealedBytes.length <= IV_BYTES + TAG_BYTES || sealedBytes.toString('base64url') !== encoded)
      return undefined;
    try {
      const decipher = createDecipheriv(CIPHER, this.key, sealedBytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealedBytes.subarray(-TAG_BYTES));
      const ciphertext = sealedBytes.subarray(IV_BYTES, -TAG_BYTES);
      const state: unknown = JSON.parse(
        Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8'),
      );
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tag proves that mcpmux has written it
      return isRecord(state) ? (state as unknown as RequestState) : undefined;
    } catch {
      return undefined;
    }
  }
}
