// Methods that exist in only one era, which both a mux's dialects and a window's relay handle.

/** The request that opens a client's session, in revisions up to 2025-11-25. */
export const INITIALIZE = 'initialize';
/** The client's notification that it is ready. Only then does the client receive notifications. */
export const INITIALIZED = 'notifications/initialized';
/** The request that sets the session's log level. */
export const SET_LEVEL = 'logging/setLevel';
/** The request that subscribes the session to updates of a resource. */
export const SUBSCRIBE = 'resources/subscribe';
/** The request that ends a subscription made with {@link SUBSCRIBE}. */
export const UNSUBSCRIBE = 'resources/unsubscribe';
/** The request of 2026-07-28 that stays open to receive notifications. */
export const LISTEN = 'subscriptions/listen';
