/** Stands in for the native part of `@napi-rs/keyring`: the keyring is the JSON file that `KEYRING_FILE` names. */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');

const FILE = process.env.KEYRING_FILE;

function read() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
}

class Entry {
  constructor(service, account) {
    this.name = `${service}/${account}`;
  }

  getPassword() {
    return read()[this.name] ?? null;
  }

  setPassword(value) {
    writeFileSync(FILE, JSON.stringify({ ...read(), [this.name]: value }));
  }

  deletePassword() {
    const { [this.name]: removed, ...others } = read();
    writeFileSync(FILE, JSON.stringify(others));
    return removed !== undefined;
  }
}

function findCredentials(service) {
  const names = Object.keys(read()).filter((name) => name.startsWith(`${service}/`));
  return names.map((name) => ({ account: name.slice(service.length + 1) }));
}

module.exports = { Entry, findCredentials };
