/** One sample of a metric. */
export interface Sample {
  /** A suffix for the metric's name, such as `_bucket` in a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric in the Prometheus format. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** Creates a metric of this type. */
export function metric(type: Metric['type'], name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type, samples };
}

/** The content type of the Prometheus text format, version 0.0.4. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Returns all metrics in the Prometheus text format. */
export function expositionText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join('');
}

function metricText({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ suffix = '', labels = {}, value }) => {
    const labelPairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return `${name}${suffix}${labelPairs.length === 0 ? '' : `{${labelPairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
