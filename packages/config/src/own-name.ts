/** The name under which mcpmux registers itself in clients. No server in a config may have it. */
export const OWN_NAME = 'mcpmux';
