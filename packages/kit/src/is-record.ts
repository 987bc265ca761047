/** True for a JSON object: the one check that parsed JSON needs before its members are looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
