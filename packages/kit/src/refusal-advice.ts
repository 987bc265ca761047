/** The advice to a model in each refusal by a policy. Callers end the sentence, or first name the deciding setting. */
export const REFUSAL_ADVICE =
  'Do not work around this refusal. Tell the user: the operator of mcpmux can allow it';
