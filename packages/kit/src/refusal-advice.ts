/** Advice to a model, for every error about a policy violation. Callers add the period, or name the setting first. */
export const REFUSAL_ADVICE =
  'Do not work around this refusal. Tell the user: the operator of mcpmux can allow it';
