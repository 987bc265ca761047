import type { Edit, Span } from '@mcpmux/wire';

/** A question for a client that is part of a call's result: a request line, and the edits in it. */
export interface ResultQuestion {
  readonly line: Buffer;
  readonly id: Span;
  readonly edits: readonly Edit[];
}

/** The client's result as JSON text, or the reason why there is none. */
export type QuestionAnswer = { readonly json: string } | { readonly problem: string };

/** Sends questions to a client that takes requests. */
export interface ClientQuestions {
  /** The number of questions without an answer, including those asked by others. */
  readonly size: number;
  /**
   * Sends a question. Returns a function that withdraws it.
   *
   * @param answered is called once, unless the question is withdrawn before
   */
  put(question: ResultQuestion, answered: (answer: QuestionAnswer) => void): () => void;
}
