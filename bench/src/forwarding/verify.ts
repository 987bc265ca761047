import { isDeepStrictEqual } from 'node:util';

import type { PayloadName } from '../payload.js';
import { PAYLOADS } from '../payload.js';
import type { RunningTarget } from '../targets/target.js';

// enough that answers overtake each other if a target lets them
const CONCURRENT_CALLS = 8;

/** Calls the tool and compares all of every answer. Returns the length of the answers without their ids. */
export async function verifyAnswers(
  { client, tool }: Pick<RunningTarget, 'client' | 'tool'>,
  payload: PayloadName,
): Promise<number> {
  const expected = PAYLOADS[payload].result();
  const calls = Array.from({ length: CONCURRENT_CALLS }, () => client.callTool(tool, { message: 'hello' }));
  const answers = await Promise.all(calls);
  for (const { result } of answers) {
    for (const key of Object.keys(expected)) {
      if (isDeepStrictEqual(result[key], expected[key])) continue;
      throw new Error(`${tool} answers with another ${key}: ${JSON.stringify(result[key]).slice(0, 300)}`);
    }
  }
  const lengths = new Set(answers.map(({ bytes }) => bytes));
  const [length] = lengths;
  if (length === undefined || lengths.size > 1)
    throw new Error(`answers differ in length: ${[...lengths].join(', ')}`);
  return length;
}
