/**
 * The advice for a model in every refusal by a policy. The caller ends the sentence, or first adds the setting that
 * decides.
 */
export const REFUSAL_ADVICE =
  'Do not work around this refusal. Tell the user: the operator of mcpmux can allow it';
