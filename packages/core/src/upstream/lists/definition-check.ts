import type { Definition } from './definition.js';

/** Tells what is wrong with an entry of a list; `undefined` when nothing is. */
export type DefinitionCheck = (definition: Definition, noun: string) => string | undefined;

let loaded: DefinitionCheck | undefined;

/**
 * The check of entries, loaded with the first list that is read: it brings zod, which the start of mcpmux must not wait
 * for.
 */
export async function definitionCheck(): Promise<DefinitionCheck> {
  loaded ??= (await import('./definition-problem.js')).definitionProblem;
  return loaded;
}
