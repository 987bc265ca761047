/** The values of `serve --ui`. */
export const UI_LINKS = ['full', 'read-only', 'none'] as const;
/** The link to the page that mcpmux prints when it starts. */
export type UiLink = (typeof UI_LINKS)[number];
