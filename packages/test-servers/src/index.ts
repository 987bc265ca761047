export { FIXTURES, type FixtureName } from './fixture-list.js';
export { fixtureCommand, fixturePath, type FixtureCommand } from './fixture-path.js';
export { Lifeline, type Life } from './lifeline.js';
