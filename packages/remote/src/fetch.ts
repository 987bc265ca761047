/** The subset of `fetch` that the official SDK uses. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
