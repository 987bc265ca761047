// The picture of docs/images, a recording of the first call, which the output of the built command makes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { recordedFirstCall } from '../captures/first-call.mjs';
import { CaptureHome } from '../captures/home.mjs';
import { recordingOf } from '../captures/svg.mjs';
import { hasTerminals } from '../captures/terminal.mjs';

/** The pictures that show something else than the command prints, with the text that they should have. */
export async function stalePictures(root) {
  if (!hasTerminals) {
    process.stdout.write(
      'docs: pictures are not checked, no script of util-linux here to make a pseudo-terminal\n',
    );
    return [];
  }
  const path = 'docs/images/first-call.svg';
  const file = join(root, path);
  const text = await firstCall();
  return existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [{ path, text }];
}

async function firstCall() {
  const home = new CaptureHome();
  try {
    const { frames, size } = await recordedFirstCall(home);
    return recordingOf(frames, { ...size, title: 'From nothing to the first call' });
  } finally {
    home.remove();
  }
}
