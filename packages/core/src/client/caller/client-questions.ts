import type { Edit, Span } from '@mcpmux/wire';

/** A question for a client that is part of a call's result: a request line, and what is replaced in it. */
export interface ResultQuestion {
  readonly line: Buffer;
  readonly id: Span;
  readonly edits: readonly Edit[];
}

/** The result of the client, JSON text; or why there is none. */
export type QuestionAnswer = { readonly json: string } | { readonly problem: string };

/** Puts questions to a client that takes requests. */
export interface ClientQuestions {
  /** Questions without an answer, those of others included. */
  readonly size: number;
  /**
   * Puts a question. Returns what withdraws it.
   *
   * @param answered is called once, unless the question is withdrawn before
   */
  put(question: ResultQuestion, answered: (answer: QuestionAnswer) => void): () => void;
}
