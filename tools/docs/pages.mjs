import { eraPage, featurePage } from './feature-pages.mjs';
import { benchPage, conformancePage, soakPage, tripPage, windowsPage } from './measured-pages.mjs';
import { faultPage, requirementPage } from './test-pages.mjs';

/** The pages that the site makes of data: the name of each, what writes it, and the files of docs/internals that it reads. */
const PAGES = {
  faults: faultPage,
  requirements: requirementPage,
  features: featurePage,
  eras: eraPage,
  conformance: conformancePage,
  bench: benchPage,
  soak: soakPage,
  trips: tripPage,
  windows: windowsPage,
};

/** The pages by their names. `data` has the content of each file of docs/internals by its name, and `tests` the titled tests. */
export function generatedPages(data) {
  return Object.entries(PAGES).map(([name, pageOf]) => ({ name, text: pageOf(data) }));
}
