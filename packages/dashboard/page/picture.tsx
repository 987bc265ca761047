import { useEffect, useRef, useState } from 'preact/hooks';

import { pictureSize } from './picture-size.js';
import { size } from './texts.js';

/** The maximum width and height of a picture on the page. */
const MAX_SIDE = 640;
/** A larger picture is not decoded, because it would take four bytes of memory per pixel. */
const MAX_PIXELS = 16e6;

/**
 * A picture from a server, drawn by the page. It is not an element with an address, because the content security policy
 * of the page allows no pictures from elsewhere, and the page makes no exception for it.
 */
export function Picture(props: { readonly type: string; readonly data: string; readonly bytes: number }) {
  const { type, data, bytes } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [shown, setShown] = useState('reading the picture …');
  useEffect(() => {
    let isGone = false;
    decoded(type, data).then(
      (picture) => {
        if (!isGone && canvas.current !== null) draw(canvas.current, picture);
        setShown(`${picture.width} × ${picture.height}`);
        picture.close();
      },
      () => setShown('which the page does not show: it is too large, or no such picture'),
    );
    return () => {
      isGone = true;
    };
  }, [type, data]);
  return (
    <>
      <canvas ref={canvas} role="img" aria-label={`${type} of the server`} width={0} height={0} />
      <p class="calm">
        {type}, {size(bytes)}, {shown}
      </p>
    </>
  );
}

async function decoded(type: string, data: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const { width, height } = pictureSize(bytes) ?? { width: Infinity, height: Infinity };
  if (width * height > MAX_PIXELS) throw new Error('The picture is too large, or of another type.');
  return createImageBitmap(new Blob([bytes], { type }));
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
}
