const BYTES_PER_TOKEN = 4;

/**
 * Returns the approximate number of tokens in a definition of this size. A tokenizer would take seconds for ten
 * thousand definitions, and each model has a different tokenizer.
 */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
