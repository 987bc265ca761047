/** The accepted values of `serve --ui`. */
export const UI_LINKS = ['full', 'read-only', 'none'] as const;
/** The kind of link to the page that mcpmux prints at startup. */
export type UiLink = (typeof UI_LINKS)[number];
