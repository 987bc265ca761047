/** Separates the server name and the local name in a qualified name. No server name contains it. */
export const SEPARATOR = '__';
