import type { Spec } from 'vega';

import type { CellReport } from '../forwarding/cell.js';
import { PAYLOADS } from '../payload.js';
import { targetOf } from '../targets/targets.js';
import { times } from './numbers.js';

/** The load that the chart shows. */
const IN_FLIGHT = 32;
const WIDTH = 560;
const BAR_HEIGHT = 18;
const PANEL_GAP = 30;
const OWN_COLOUR = '#1d4ed8';
const OTHER_COLOUR = '#94a3b8';

interface Bar {
  readonly panel: string;
  readonly target: string;
  readonly ratio: number;
  readonly text: string;
  readonly colour: string;
}

/** CPU per call of every target, as a multiple of the byte pipe, as an SVG. Loads the chart library. */
export async function forwardingChart(cells: readonly CellReport[]): Promise<string> {
  const { parse, View } = await import('vega');
  const view = new View(parse(specification(bars(cells))), { renderer: 'none' });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

function bars(cells: readonly CellReport[]): Bar[] {
  return cells.flatMap(({ target, payload, inFlight, ratio }) => {
    const value = ratio?.cpuMicrosPerCall ?? null;
    if (inFlight !== IN_FLIGHT || value === null) return [];
    const colour = target === 'mcpmux' ? OWN_COLOUR : OTHER_COLOUR;
    const text = times(value);
    return [{ panel: PAYLOADS[payload].label, target: targetOf(target).label, ratio: value, text, colour }];
  });
}

function specification(values: readonly Bar[]): Spec {
  const panels = [...new Set(values.map(({ panel }) => panel))];
  const targets = [...new Set(values.map(({ target }) => target))];
  const panelHeight = targets.length * BAR_HEIGHT;
  const height = panels.length * (panelHeight + PANEL_GAP);
  return {
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    description: 'CPU time per call of the process in the middle, as a multiple of a byte pipe',
    width: WIDTH,
    height,
    padding: 10,
    background: 'white',
    title: {
      text: `CPU per call with ${IN_FLIGHT} calls in flight (byte pipe = 1, logarithmic; shorter is better)`,
      anchor: 'start',
      offset: 6,
    },
    data: [{ name: 'bars', values: [...values] }],
    scales: [
      { name: 'panel', type: 'band', domain: panels, range: [0, height] },
      {
        name: 'ratio',
        type: 'log',
        domain: [
          Math.min(1, ...values.map(({ ratio }) => ratio)),
          Math.max(...values.map(({ ratio }) => ratio)),
        ],
        range: 'width',
        nice: true,
      },
    ],
    axes: [{ orient: 'bottom', scale: 'ratio', format: '~r', tickCount: 8, title: '× byte pipe' }],
    marks: [panelMarks(targets, panelHeight)],
  };
}

/** One group of bars for each payload. */
function panelMarks(targets: readonly string[], panelHeight: number): NonNullable<Spec['marks']>[number] {
  return {
    type: 'group',
    from: { facet: { data: 'bars', name: 'own', groupby: 'panel' } },
    encode: {
      enter: {
        y: { scale: 'panel', field: 'panel', offset: PANEL_GAP },
        width: { value: WIDTH },
        height: { value: panelHeight },
      },
    },
    title: { text: { signal: 'parent.panel' }, anchor: 'start', fontSize: 12, offset: 4 },
    scales: [{ name: 'target', type: 'band', domain: [...targets], range: [0, panelHeight], padding: 0.15 }],
    axes: [{ orient: 'left', scale: 'target', ticks: false, domain: false, labelPadding: 6 }],
    marks: [
      {
        type: 'rect',
        from: { data: 'own' },
        encode: {
          enter: {
            y: { scale: 'target', field: 'target' },
            height: { scale: 'target', band: 1 },
            x: { scale: 'ratio', value: 1 },
            x2: { scale: 'ratio', field: 'ratio' },
            fill: { field: 'colour' },
          },
        },
      },
      {
        type: 'text',
        from: { data: 'own' },
        encode: {
          enter: {
            y: { scale: 'target', field: 'target', band: 0.5 },
            x: { scale: 'ratio', field: 'ratio', offset: 4 },
            baseline: { value: 'middle' },
            text: { field: 'text' },
          },
        },
      },
    ],
  };
}
