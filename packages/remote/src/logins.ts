export { sdkLogin, type LoginComponents } from './sdk-login.js';
export { sdkTokens } from './sdk-tokens.js';
