const ELSEWHERE = /^(?:[a-z]+:|#)/i;
const PAGE = /\.md(?=#|$)/;
/** Data of which tools/docs.mjs has made a page of the same name. */
const DATA = /(^|\/)(internals\/[\w-]+)\.json(?=#|$)/;
/** Folders of the repository whose Markdown files are pages. */
const PAGES = /^(?:docs|packages\/(?!testing\/|wire\/wasm\/)[\w-]+)\/|^[A-Z]+\.md/;

/**
 * Links of the Markdown files, as the site has them: a README is the page of its folder, data of docs/internals is the page
 * that is made of it, and a link to a file that is no page, such as a source, is only its text.
 */
export function followLinks(markdown) {
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children) follow(children, env.relativePath);
  });
}

function follow(tokens, page) {
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') isDropped = !isPage(token.attrGet('href'), page);
    if (token.type === 'link_open' && !isDropped) token.attrSet('href', pageOf(token.attrGet('href')));
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
      token.type = 'text';
      token.tag = '';
      token.content = '';
      token.attrs = null;
    }
    if (token.type === 'text' && token.nesting === -1) isDropped = false;
    token.nesting = token.type === 'text' ? 0 : token.nesting;
  }
}

function pageOf(href) {
  return href.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md').replace(DATA, '$1$2.md');
}

function isPage(href, page) {
  if (ELSEWHERE.test(href)) return true;
  const path = new URL(href, `file:///${page}`).pathname.slice(1);
  return PAGE.test(pageOf(href)) && PAGES.test(path);
}
