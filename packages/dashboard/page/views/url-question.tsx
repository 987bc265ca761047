import { textIn } from '../values.js';
import { webAddress } from '../web-address.js';
import { QuestionFrame, Refusals, type QuestionProps } from './question-frame.js';

/** Shows a server's request to visit a page. The page opens in a new tab, and only if the user chooses to. */
export function UrlQuestion({ asker, message, params, place, answer }: QuestionProps) {
  const url = textIn(params['url']);
  const address = webAddress(url);
  return (
    <QuestionFrame
      label="The server asks you to visit a page:"
      asker={asker}
      place={place}
      does="asks you to visit a page:"
    >
      <p class="prose">{message}</p>
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
        <Refusals answer={answer} />
      </p>
    </QuestionFrame>
  );
}
