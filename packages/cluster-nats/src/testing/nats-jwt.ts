import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const NO_LIMITS = Object.fromEntries(
  ['subs', 'conn', 'leaf', 'imports', 'exports', 'data', 'payload', 'mem_storage', 'disk_storage']
    .concat(['streams', 'consumer'])
    .map((limit) => [limit, -1]),
);

/** An operator with one account, as `nsc` makes them: its users have credentials that the server was never told. */
export class NatsOperator {
  private readonly operator = nkeys.createOperator();
  private readonly account = nkeys.createAccount();
  private readonly system = nkeys.createAccount();

  /** What the configuration of a server says of it. */
  get access(): string {
    const { operator, account, system } = this;
    const limits = { ...NO_LIMITS, wildcards: true };
    const own = signed(operator, operator, { type: 'operator' });
    const used = signed(operator, account, { type: 'account', limits });
    const known = [
      `${account.getPublicKey()}: ${used}`,
      `${system.getPublicKey()}: ${signed(operator, system, { type: 'account' })}`,
    ];
    return [
      `operator: ${own}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload { ${known.join('\n')} }`,
    ].join('\n');
  }

  /** The content of a file of credentials of a new user, which expire after some seconds. */
  credentials(seconds: number): string {
    const user = nkeys.createUser();
    const jwt = signed(this.account, user, { type: 'user', subs: -1, data: -1, payload: -1 }, seconds);
    const seed = Buffer.from(user.getSeed()).toString();
    return [
      '-----BEGIN NATS USER JWT-----',
      jwt,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      seed,
      '------END USER NKEY SEED------',
      '',
    ].join('\n');
  }
}

/** A JSON Web Token of NATS. */
function signed(issuer: KeyPair, subject: KeyPair, claims: object, seconds?: number): string {
  const now = Math.floor(Date.now() / 1000);
  const body = {
    jti: crypto.randomUUID(),
    iat: now,
    ...(seconds !== undefined && { exp: now + seconds }),
    iss: issuer.getPublicKey(),
    name: 'test',
    sub: subject.getPublicKey(),
    nats: { ...claims, version: 2 },
  };
  const text = [{ typ: 'JWT', alg: 'ed25519-nkey' }, body]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}
