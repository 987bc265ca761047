import { isRecord } from './is-record.js';

/** Returns the parsed `params` of a request that mcpmux itself handles. The line must be a valid message. */
export function paramsOf(line: Buffer): Readonly<Record<string, unknown>> {
  const message: unknown = JSON.parse(line.toString('utf8'));
  const params = isRecord(message) ? message['params'] : undefined;
  return isRecord(params) ? params : {};
}
