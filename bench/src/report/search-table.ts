import { RESULTS, type FoundBy, type SearchReport } from '../search/run-search.js';
import { number } from './numbers.js';
import { markdownTable, type Column } from './table.js';

/** How well tools are found, for readers. */
export function searchSection(report: SearchReport): string {
  const { servers, tools, tuningTasks, heldOutTasks, allTokens, nameTokens, searchers } = report;
  const columns: readonly Column[] = [
    { heading: 'search', align: 'left' },
    ...RESULTS.map((count): Column => ({ heading: `recall@${count}`, align: 'right' })),
    { heading: 'the same, tuning', align: 'right' },
    { heading: 'results', align: 'right' },
    { heading: 'tokens', align: 'right' },
  ];
  return [
    '## Search\n',
    `${tools} tools of ${servers} real servers, ${heldOutTasks} tasks that nothing was tuned on, and ${tuningTasks} of the tuning. ` +
      'Recall@k: the share of the tasks that have a fitting tool among the first k results. ' +
      'Results and tokens: so many definitions give the recall that mcpmux has with five.\n',
    markdownTable(columns, searchers.map(rowOf)),
    `All definitions have ${number(allTokens)} tokens of 4.5 bytes, all names ${number(nameTokens)}.\n`,
  ].join('\n');
}

function rowOf({ name, heldOut, tuning, results, tokens }: FoundBy): readonly string[] {
  return [
    name,
    ...heldOut.map(percent),
    tuning.map(percent).join(', '),
    results === null ? '–' : String(results),
    tokens === null ? '–' : number(tokens),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
