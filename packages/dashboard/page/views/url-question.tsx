import type { Json } from '../connection.js';
import { textIn } from '../values.js';
import { webAddress } from '../web-address.js';

/** A server asks the user to visit a page: in a new tab, and only if the user wants to. */
export function UrlQuestion({
  params,
  answer,
}: {
  readonly params: Json;
  readonly answer: (answer: Json) => void;
}) {
  const url = textIn(params['url']);
  const address = webAddress(url);
  return (
    <div role="group" aria-label="The server asks you to visit a page" class="question">
      <p>{textIn(params['message'])}</p>
      {address === undefined ? (
        <p class="box bad">This address is not opened, since it is no plain address of a web page: {url}</p>
      ) : (
        <p class="address">
          {address.before}
          <strong>{address.host}</strong>
          {address.after}
        </p>
      )}
      <p class="actions">
        {address !== undefined && (
          <a
            class="button"
            href={address.href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => answer({ action: 'accept' })}
          >
            Open {address.host} in a new tab
          </a>
        )}
        <button type="button" onClick={() => answer({ action: 'decline' })}>
          Decline
        </button>
        <button type="button" onClick={() => answer({ action: 'cancel' })}>
          Cancel
        </button>
      </p>
    </div>
  );
}
