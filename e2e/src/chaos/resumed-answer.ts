const PAUSE_MS = 500;
const MAX_TRIES = 60;

/** How a client asks for the rest of a stream; undefined when no node can be asked. */
export type Reopen = (lastEventId: string) => Promise<Response> | undefined;

/**
 * The body of an answer. A stream of events that breaks is resumed, as clients do, until it has had its answer.
 *
 * @throws Error for a body that breaks and cannot be resumed
 */
export async function answerOf(response: Response, reopen: Reopen): Promise<string> {
  const body = new Body();
  try {
    await body.read(response, false);
  } catch (error) {
    for (let tries = 0; !body.hasAnswer; tries += 1) {
      if (tries >= MAX_TRIES) throw error;
      await resume(body, reopen, error);
    }
  }
  return body.text;
}

async function resume(body: Body, reopen: Reopen, error: unknown): Promise<void> {
  const last = body.lastEventId;
  if (last === undefined) throw error;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const reopened = reopen(last);
  if (reopened === undefined) return;
  // That node may have gone meanwhile.
  const response = await reopened.catch(() => undefined);
  // The session has ended with its node.
  if (response?.status === 404) throw error;
  // A front that cannot reach the node of the session says so: the next try may reach it.
  if (response?.status === 200) await body.read(response, true).catch(() => undefined);
  else await response?.text();
}

/** What has come of an answer so far. */
class Body {
  text = '';

  /** The stream of a resumed answer may stay open behind the answer. */
  async read({ body }: Response, isUntilAnswer: boolean): Promise<void> {
    const decoder = new TextDecoder();
    if (body === null) return;
    for await (const part of body) {
      this.text += decoder.decode(part, { stream: true });
      if (isUntilAnswer && this.hasAnswer) return;
    }
  }

  get hasAnswer(): boolean {
    return /^data: \{.*"(?:result|error)":.*\}$/m.test(this.text);
  }

  get lastEventId(): string | undefined {
    return [...this.text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1];
  }
}
