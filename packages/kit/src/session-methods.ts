// Methods of one era, which both the dialects of a mux and the relay of a window handle.

/** The request that opens a client's session, in revisions up to 2025-11-25. */
export const INITIALIZE = 'initialize';
/** The client's notification that it is ready. The client gets notifications only afterwards. */
export const INITIALIZED = 'notifications/initialized';
/** The request that sets the log level of the session. */
export const SET_LEVEL = 'logging/setLevel';
/** The request for updates of a resource in the session. */
export const SUBSCRIBE = 'resources/subscribe';
/** The request that ends the updates of {@link SUBSCRIBE}. */
export const UNSUBSCRIBE = 'resources/unsubscribe';
/** The request of 2026-07-28 that stays open for notifications. */
export const LISTEN = 'subscriptions/listen';
