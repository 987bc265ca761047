/** Groups of words that mean the same in tool descriptions. The first word represents its group. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['create', 'add', 'new', 'make', 'insert', 'open', 'register'],
  ['delete', 'remove', 'drop', 'erase', 'destroy', 'trash', 'uninstall', 'discard', 'throw', 'wipe', 'clear'],
  ['update', 'edit', 'modify', 'change', 'patch', 'alter', 'rename', 'overwrite', 'fix'],
  ['get', 'fetch', 'read', 'retrieve', 'show', 'view', 'display', 'describe', 'inspect', 'see', 'look'],
  ['list', 'enumerate', 'browse', 'all'],
  ['search', 'find', 'query', 'lookup', 'locate', 'grep', 'seek'],
  ['send', 'post', 'publish', 'submit'],
  ['run', 'execute', 'invoke', 'launch', 'start', 'evaluate', 'perform'],
  ['stop', 'kill', 'terminate', 'end', 'halt', 'abort', 'cancel'],
  ['folder', 'directory', 'dir'],
  ['file', 'document'],
  ['repository', 'repo'],
  ['pr', 'pullrequest'],
  ['issue', 'bug', 'ticket', 'defect'],
  ['image', 'picture', 'photo', 'screenshot'],
  ['message', 'chat', 'dm'],
  ['page', 'tab', 'webpage'],
  ['url', 'link', 'address', 'website', 'site'],
  ['db', 'database'],
  ['table', 'collection'],
  ['row', 'record', 'entry', 'item', 'card'],
  ['user', 'person', 'people', 'member', 'account'],
  ['comment', 'reply', 'note', 'remark'],
  ['copy', 'duplicate', 'clone'],
  ['log', 'logs', 'output', 'console', 'print'],
  ['navigate', 'goto', 'visit'],
  ['type', 'enter', 'write', 'input', 'fill'],
  ['shell', 'terminal', 'command', 'cmd', 'bash'],
  ['time', 'clock', 'timezone'],
  ['size', 'length', 'big', 'large', 'space', 'storage'],
  ['upload', 'attach'],
  ['merge', 'combine', 'join'],
  ['monitor', 'watch', 'watcher', 'follow', 'subscribe', 'subscription', 'notify'],
  ['permission', 'restriction', 'access', 'allowed', 'allow'],
  ['notification', 'alert', 'alarm', 'inbox'],
  ['batch', 'bulk', 'multiple', 'several', 'many'],
  ['field', 'column', 'property', 'attribute'],
  ['relation', 'relationship', 'connection'],
  ['history', 'past', 'recent', 'earlier', 'previous'],
  ['performance', 'slow', 'fast', 'speed'],
  ['forward', 'tunnel'],
  ['explain', 'mean', 'meaning'],
];

/** Words that occur in most tool descriptions or in most queries. */
const COMMON_WORDS = new Set(
  (
    'a about am an and any anything are as at be been by can could did do does for from go had has have how i in into is it its let me my no not now of on or our please ' +
    'should so some still tell that the their them then there these this those to us use used uses using want was we were what when where which who why will with would you your'
  ).split(' '),
);

const CANONICAL_STEMS: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap(([first = '', ...others]) => others.map((word) => [stemOf(word), stemOf(first)] as const)),
);

/** Splits a text into words, and names into their parts, so that "issue" finds `createIssue` and `create_issue`. */
export function splitWords(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns a word's stem, or null for a common word. */
export function stemUnlessCommon(word: string): string | null {
  const lower = word.toLowerCase();
  return COMMON_WORDS.has(lower) ? null : stemOf(lower);
}

/** Returns the stem that represents the synonyms of a stem, or the stem itself if it has none. */
export function meaningOf(stemmed: string): string {
  return CANONICAL_STEMS.get(stemmed) ?? stemmed;
}

/** Removes the endings of English plurals and verbs. This simple rule suffices for the short texts of tools. */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const singular = word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.replace(/(?<=ss|sh|ch|x|z)es$|(?<![su])s$/, '');
  const base = singular.length > 5 ? singular.replace(/(?:ing|ed)$/, '') : singular;
  if (base === singular) return singular.replace(/e$/, '');
  // Reduces "dropped" to "drop" and "running" to "run".
  return base.replace(/([bdgklmnprt])\1$/, '$1').replace(/e$/, '');
}
