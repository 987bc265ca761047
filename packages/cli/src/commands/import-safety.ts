import { isObject, type JsonObject } from '@mcpmux/clients';

/** Keys of client entries that control which calls run without confirmation. */
const APPROVAL_KEYS = ['autoApprove', 'alwaysAllow', 'trust', 'default_tools_approval_mode', 'approval_mode'];

/** Returns the keys in a client's entry that control which calls need confirmation. mcpmux ignores these keys. */
export function safetyKeys(entry: JsonObject): readonly string[] {
  const { tools } = entry;
  const toolApprovals = isObject(tools)
    ? Object.entries(tools).filter(([, one]) => isObject(one) && one['approval_mode'] !== undefined)
    : [];
  return [
    ...APPROVAL_KEYS.filter((key) => isSet(entry[key])),
    ...toolApprovals.map(([tool]) => `tools.${tool}.approval_mode`),
  ];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Returns notes about a server's client-side safety settings that mcpmux does not apply. */
export function safetyNotes(
  server: string,
  client: string,
  entry: JsonObject,
  isAlreadyInConfig: boolean,
): readonly string[] {
  const keys = safetyKeys(entry);
  const approvals =
    `  ${server} had ${keys.join(', ')}: mcpmux asks before calls only by guards.approvals of its config, and ` +
    `${client} sees mcpmux as one server. Next: set guards.approvals, and in ${client}, decide which tools of mcpmux ` +
    'run without a question';
  const sandboxNote =
    `  ${server} ran in a sandbox in ${client} (sandboxEnabled). Its entry in the config decides now. ` +
    'Next: "sandbox": true there';
  return [
    ...(keys.length > 0 ? [approvals] : []),
    ...(isAlreadyInConfig && entry['sandboxEnabled'] === true ? [sandboxNote] : []),
  ];
}
