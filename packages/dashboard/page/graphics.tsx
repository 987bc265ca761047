/** The height of a bar in the units of its picture. */
const HEIGHT = 20;

/** Small bars for a series of numbers, the latest at the right. Screen readers skip them. */
export function Bars({ values }: { readonly values: readonly number[] }) {
  const highest = Math.max(...values, Number.MIN_VALUE);
  const bars = values.map((value, index) => {
    const height = value === 0 ? 1 : Math.max(2, Math.round((value / highest) * HEIGHT));
    return `M${index * 3} ${HEIGHT}h2v-${height}h-2z`;
  });
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${values.length * 3} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={bars.join('')} />
    </svg>
  );
}

/** Shows a part of a whole as the length of a bar. */
export function Share({
  part,
  whole,
  tone,
}: {
  readonly part: number;
  readonly whole: number;
  readonly tone: string;
}) {
  const width = whole <= 0 ? 100 : Math.min(100, Math.max(1, (part / whole) * 100));
  return (
    <svg class={`share ${tone}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" width="100" height="4" />
      <rect width={width} height="4" />
    </svg>
  );
}

/** The logo of mcpmux, which is one line that becomes three. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M6 16h8m4 0 8-7M18 16h8M18 16l8 7" />
      <circle cx="16" cy="16" r="3.2" />
    </svg>
  );
}
