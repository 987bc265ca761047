export { sdkLogin } from './sdk-login.js';
export { sdkTokens } from './sdk-tokens.js';
