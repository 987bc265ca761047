/** The name under which mcpmux registers itself. */
export const OWN_NAME = 'mcpmux';
