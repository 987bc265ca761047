/** The outcome of one step of the script. */
export type Outcome =
  | { readonly kind: 'works'; readonly value: unknown }
  | { readonly kind: 'fails'; readonly reason: string }
  /** Nobody has told the client anything. */
  | { readonly kind: 'hangs' };

/** What a client has come to know of a server. */
export interface Course {
  readonly opened: Outcome;
  readonly listed: Outcome;
  readonly said: Outcome;
  readonly failed: Outcome;
}

/** What a client has come to know through mcpmux. */
export interface ThroughCourse extends Course {
  /** False if the session of the client has ended. */
  readonly isAlive: boolean;
}

/** The ways in which a server is worse through the mux than alone; none is the rule. */
export function differences(one: Course, other: ThroughCourse, words: readonly string[]): readonly string[] {
  const found: string[] = other.isAlive ? [] : ['the session of the client has ended'];
  for (const step of ['opened', 'listed', 'said', 'failed'] as const) {
    const [before, after] = [one[step], other[step]];
    if (before.kind === 'hangs') continue;
    const reported = `${step}: alone ${JSON.stringify(before)}, through ${JSON.stringify(after)}`;
    // To add a server is to list its tools, too.
    const isOpened = step === 'opened' && one.listed.kind !== 'works' && after.kind !== 'hangs';
    if (before.kind === 'works' && !isOpened && !isSame(step, before, after)) found.push(reported);
    // The tools of a server that was not added are not there: that was told when it was added.
    const isReported =
      after.kind !== 'hangs' || other.opened.kind === 'fails' || other.listed.kind === 'works';
    if (before.kind === 'fails' && !isReported) found.push(reported);
    const said = words.find((text) => before.kind === 'fails' && before.reason.includes(text));
    if (said !== undefined && !JSON.stringify(other).includes(said))
      found.push(`${reported}: without "${said}"`);
  }
  return found;
}

function isSame(step: keyof Course, before: Outcome, after: Outcome): boolean {
  if (before.kind !== 'works' || after.kind !== 'works') return false;
  if (step === 'opened') return true;
  if (step !== 'listed') return comparable(before.value) === comparable(after.value);
  // A client that is alone does not ask a server that declares no tools.
  const names = new Set(after.value as readonly string[]);
  return (before.value as readonly string[]).every((name) => names.has(name));
}

function comparable(value: unknown): string {
  const { content, structuredContent, isError } = value as Record<string, unknown>;
  return JSON.stringify({ content, structuredContent, isError });
}
