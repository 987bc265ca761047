// Methods of one era that both the dialects of a mux and the relay of a window handle.

/** The request that opens a session of a client up to 2025-11-25. */
export const INITIALIZE = 'initialize';
/** The notification after which the client of the session gets notifications. */
export const INITIALIZED = 'notifications/initialized';
/** The request that sets the log level of the session. */
export const SET_LEVEL = 'logging/setLevel';
/** The request for updates of a resource in the session. */
export const SUBSCRIBE = 'resources/subscribe';
/** The request that ends the updates of {@link SUBSCRIBE}. */
export const UNSUBSCRIBE = 'resources/unsubscribe';
/** The request of 2026-07-28 that stays open for notifications. */
export const LISTEN = 'subscriptions/listen';
