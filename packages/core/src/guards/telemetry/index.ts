export { telemetry, type TelemetryOptions } from './telemetry.js';
