const codes = (outcome) => outcome?.messages?.map(({ error }) => error?.code) ?? [];
const statuses = (old, now) => `${old?.status} ${now?.status}`;
const holds = (step, text) => step.body?.includes(text) === true;

/** Why the front of today answers another way than that of 4cbc830 did. */
export const EXPLAINED = [
  {
    reason: 'JSON that is no message is answered with -32600, which is the code for that, not with -32700',
    explains: (_, old, now) =>
      statuses(old, now) === '400 400' && codes(old)[0] === -32_700 && codes(now)[0] === -32_600,
  },
  {
    reason:
      'JSON that is no message is refused as that before the types that its client accepts are looked at',
    explains: ({ headers }, old, now) =>
      /^(?:406|415) 400$/.test(statuses(old, now)) && ('accept' in headers || 'content-type' in headers),
  },
  {
    reason: 'an id of more than 1,024 bytes is refused, where the front of then never answered',
    explains: (step, old, now) => holds(step, 'xxxxxxxx') && statuses(old, now) === 'no answer 400',
  },
  {
    reason:
      'a message in which an id stands twice is refused, as on the standard streams: peers differ in which one counts',
    explains: (step, old, now) =>
      holds(step, '"method":"ping","id":N}') && statuses(old, now) === '200 200' && codes(now)[0] === -32_600,
  },
  {
    reason: 'a member that no revision has is no reason to refuse a message, as on the standard streams',
    explains: (step, old, now) => holds(step, '"extra":1') && statuses(old, now) === '400 200',
  },
  {
    reason: 'requests of 2026-07-28, which the front of then did not know, must describe their client',
    explains: ({ headers }, old, now) =>
      headers?.['mcp-protocol-version'] === '2026-07-28' &&
      statuses(old, now) === '400 400' &&
      codes(old)[0] === -32_000 &&
      codes(now)[0] === -32_602,
  },
];
