import type { Search } from './libraries.js';
import type { Tasks } from './recorded-tools.js';

/** The place of the first fitting tool for each task, from 1; infinite where none is found. */
export function places(search: Search, tasks: Tasks): readonly number[] {
  return Object.entries(tasks).map(([task, fitting]) => {
    const place = search(task).findIndex((id) => fitting.includes(id));
    return place === -1 ? Number.POSITIVE_INFINITY : place + 1;
  });
}

/** The share of the tasks that have a fitting tool among so many results. */
export function recallAt(results: number, all: readonly number[]): number {
  return all.filter((place) => place <= results).length / all.length;
}

/** The number of results with which a search has at least this recall; null if no number has it. */
export function resultsFor(recall: number, all: readonly number[]): number | null {
  const found = all.filter(Number.isFinite).toSorted((left, right) => left - right);
  return found.find((place) => recallAt(place, all) >= recall) ?? null;
}
