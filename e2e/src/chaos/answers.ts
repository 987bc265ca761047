/** A message that answers a request. */
export interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
}

/** The answers in the body of a response over HTTP, which is one message or a stream of them. */
export function answersIn(text: string): readonly Answer[] {
  const lines = text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data: {'));
  const messages = lines.map(
    (line) => JSON.parse(line.replace('data: ', '')) as Answer & { method?: string },
  );
  return messages.filter(({ method }) => method === undefined);
}

/** True for an error, and for a result of a tool that failed. */
export function isRefusal({ error, result }: Answer): boolean {
  return error !== undefined || result?.isError === true;
}
