/** Stands between the server's name and the local name in a qualified name. No server name holds it. */
export const SEPARATOR = '__';
