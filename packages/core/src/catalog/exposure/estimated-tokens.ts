const BYTES_PER_TOKEN = 4;

/**
 * About how many tokens a definition of this size has. A tokenizer would take seconds for ten thousand definitions, and
 * each model has another one.
 */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
