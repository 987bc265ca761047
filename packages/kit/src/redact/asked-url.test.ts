import { describe, expect, it } from 'vitest';

import { askedUrl } from './redact-url.js';

describe('a url in a question', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp'],
    [
      'https://example.com/run/NDk1ZWQ3NTMtYWJj01?cmd=rm&team=x',
      'https://example.com/run/NDk1ZWQ3NTMtYWJj01?cmd=rm&team=x',
    ],
    [String.raw`https://a.example\@b.example/`, 'https://a.example/@b.example/'],
    ['https://0x7f.1/mcp', 'https://127.0.0.1/mcp'],
  ])('E11: %s leads to %s, and nothing of that is hidden', (url, asked) => {
    expect(askedUrl(url)).toEqual({ url: asked, secrets: [] });
  });

  it('E11: hides user, password, secret parameters and keys of a known form', () => {
    const { url, secrets } = askedUrl(
      'https://me:word@example.com/ghp_12345678abc/mcp?api_key=canary&team=x',
    );
    expect(url).toBe('https://[redacted]@example.com/[redacted]/mcp?api_key=[redacted]&team=x');
    expect(secrets).toEqual(['me', 'word', 'ghp_12345678abc', 'canary']);
  });

  it('E11: its host is whole, whatever is known as a secret', () => {
    const { url } = askedUrl('https://evil.example/evil.example', (text) =>
      text.replaceAll('evil', '[redacted]'),
    );
    expect(url).toBe('https://evil.example/[redacted].example');
  });

  it('E11: what is no url is not shown', () => {
    expect(askedUrl('me:pass@example').url).toBe('(no url)');
    expect(askedUrl('nothing').url).toBe('(no url)');
  });
});
