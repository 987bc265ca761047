import type { CommandContext } from './command-context.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

/** Shows a spinner until `work` ends, except with `--quiet` or without a terminal. */
export async function withSpinner<Result>(
  { flags, streams }: CommandContext,
  text: string | (() => string),
  work: Promise<Result>,
): Promise<Result> {
  if (!streams.isInteractive || flags.quiet === true) return work;
  let frame = 0;
  const drawFrame = (): void => {
    streams.redraw(`${FRAMES[frame % FRAMES.length] ?? ''} ${typeof text === 'string' ? text : text()}`);
    frame += 1;
  };
  drawFrame();
  const timer = setInterval(drawFrame, FRAME_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    streams.redraw('');
  }
}
