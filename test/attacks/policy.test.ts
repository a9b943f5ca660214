import { createHash, createPublicKey } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { encodePem } from '../../formats/keys/pem.ts';
import { type TestKey, writePolicy } from '../support/policies.ts';
import { PATIENCE } from './attack.ts';
import { cut, placesIn, signedIn } from './slots.ts';
import { codeOf, expectRefused, formats, installArgsOf, installs, setStage } from './stage.ts';
import { rowOf } from './table.ts';

// Archives that are intact and signed: only the policy keeps them out, the same for verify and for install.

const stage = setStage('policy');
const { release, security } = stage.keys;
const SOON = '2100-01-01T00:00:00Z';
const LONG_AGO = '2001-01-01T00:00:00Z';
/** What a SubjectPublicKeyInfo of Ed25519 begins with (RFC 8410 §10.1). */
const ED25519 = '302a300506032b6570032100';

beforeAll(async () => {
  await stage.pack('newer.iso', 'sequence = 3\ncreated = 2026-02-01T00:00:00Z');
  await stage.pack('expired.iso', `created = 2000-01-01T00:00:00Z\nexpires = ${LONG_AGO}`);
  await stage.pack('future.iso', 'sequence = 5\ncreated = 2155-12-31T00:00:00Z');
  await stage.pack('until-then.iso', 'sequence = 4\ncreated = 2025-01-01T00:00:00Z\nexpires = 2026-01-01T00:00:00Z');
});

afterEach(() => vi.useRealTimers());

/** A policy that `release` and `security` may sign by, with `more` in it. */
function policy(more: Readonly<Record<string, unknown>>): string[] {
  writePolicy(join(stage.folder, 'trust.json'), [release, security], more);
  return ['--policy', 'trust.json'];
}

const rule = (more: object): Record<string, unknown> => ({
  policies: [{ match: 'hello', keys: [release.id, security.id], ...more }],
});
const releaseIs = (more: object): Record<string, unknown> => ({
  keys: [
    { id: release.id, pem: release.pem, ...more },
    { id: security.id, pem: security.pem },
  ],
});

/** An attack that a policy has to refuse; `archives` are those that the attacker has. */
function underPolicy(
  name: string,
  more: Readonly<Record<string, unknown>>,
  archives: readonly string[] = formats.map((format) => `good.${format}`),
): void {
  test(
    `${name}: ${rowOf(name).codes.join(', ')}, exit status ${rowOf(name).exit}`,
    async () => {
      const trust = policy(more);
      for (const archive of archives) {
        await expectRefused(stage, name, archive, trust);
      }
    },
    PATIENCE,
  );
}

underPolicy('a Solution that no rule is about', { policies: [{ match: 'other', keys: [release.id] }] });
underPolicy('a key that counts for other Solutions', {
  keys: [release, security].map(({ id, pem }) => ({ id, pem })),
  policies: [
    { match: 'hello', keys: [security.id] },
    { match: '*', keys: [release.id] },
  ],
});
underPolicy('a revoked key', releaseIs({ status: 'revoked' }));
underPolicy('a key that counts no longer', releaseIs({ notAfter: LONG_AGO }));
underPolicy('a key that does not count yet', releaseIs({ notBefore: SOON }));
underPolicy('a new release by a retired key', releaseIs({ status: 'retired', notAfter: LONG_AGO }), ['newer.iso']);
underPolicy('too few signatures', rule({ threshold: 2 }));
underPolicy('a release that has expired', {}, ['expired.iso']);
underPolicy('a release below the lowest sequence', rule({ minSequence: 3 }));
underPolicy('an attestation that is missing', rule({ requirePredicates: ['https://example.com/never/v1'] }));
underPolicy(
  'an image of a repository that the policy does not allow',
  rule({ allow: { images: ['registry.example.com/other/*', 'docker.io/*'] } }),
);

test(
  'a release from the future',
  async () => {
    for (const trust of [policy({}), ['--key', 'release.pub']]) {
      await expectRefused(stage, 'a release from the future', 'future.iso', trust);
    }
  },
  PATIENCE,
);

test(
  'a release that is denied',
  async () => {
    const { root } = JSON.parse((await stage.run('inspect', 'good.iso', '--json')).stdout);
    await expectRefused(stage, 'a release that is denied', 'good.tar', policy({ deny: [root] }));
  },
  PATIENCE,
);

test(
  'a threshold that one key meets twice',
  async () => {
    const name = 'a threshold that one key meets twice';
    for (const format of formats) {
      const bytes = stage.bytes(format);
      const { bundle, put } = await signedIn(stage, bytes, format);
      // ECDSA has two signatures for each: r and s, and r and n - s. The key is the same.
      const signature = otherSignature(bundle.messageSignature.signature);
      put({ ...bundle, messageSignature: { ...bundle.messageSignature, signature } }, 1);
      writeFileSync(join(stage.folder, `twice.${format}`), bytes);
      expect(await stage.run('verify', `twice.${format}`, '--key', 'release.pub')).toMatchObject({ code: 0 });
      await expectRefused(stage, name, `twice.${format}`, policy(rule({ threshold: 2 })));
    }
  },
  PATIENCE,
);

/** The key `release` with its point compressed: other bytes, another digest, the same key. */
function compressed(): TestKey {
  const { x, y } = createPublicKey(release.pem).export({ format: 'jwk' });
  const sign = Buffer.from(y!, 'base64url').at(-1)! % 2 === 0 ? '02' : '03';
  const form = `3039301306072a8648ce3d020106082a8648ce3d030107032200${sign}`;
  const der = Buffer.concat([Buffer.from(form, 'hex'), Buffer.from(x!, 'base64url')]);
  const id = createHash('sha256').update(der).digest('hex');
  return { name: 'release', id, pem: encodePem('PUBLIC KEY', der) };
}

test(
  'a threshold that one key meets in two forms',
  async () => {
    const name = 'a threshold that one key meets in two forms';
    const twin = compressed();
    for (const format of formats) {
      const bytes = stage.bytes(format);
      const { bundle, put } = await signedIn(stage, bytes, format);
      const hint = Buffer.from(twin.id, 'hex').toString('base64');
      put({ ...bundle, verificationMaterial: { publicKey: { hint } } }, 1);
      writeFileSync(join(stage.folder, `forms.${format}`), bytes);
      writePolicy(join(stage.folder, 'forms.json'), [release, twin], {
        policies: [{ match: 'hello', keys: [release.id, twin.id], threshold: 2 }],
      });
      await expectRefused(stage, name, `forms.${format}`, ['--policy', 'forms.json']);
    }
  },
  PATIENCE,
);

underPolicy('a key of Ed25519 that everybody can sign for', {
  keys: [{ id: release.id, pem: encodePem('PUBLIC KEY', Buffer.from(`${ED25519}01${'00'.repeat(31)}`, 'hex')) }],
  policies: [{ match: 'hello', keys: [release.id] }],
});

test(
  'a rotation that one key meets in two forms',
  async () => {
    const { exit, codes } = rowOf('a rotation that one key meets in two forms');
    const twin = compressed();
    const rotation = { rotation: { keys: [release.id, twin.id], threshold: 2 } };
    writePolicy(join(stage.folder, 'current.json'), [release, twin], rotation);
    writePolicy(join(stage.folder, 'next.json'), [release, twin], { ...rotation, version: 2 });
    for (const args of [
      ['sign', 'next.json', '--private-key', 'release.key'],
      ['accept', 'next.json', '--current', 'current.json'],
    ]) {
      const refused = await stage.run('trust', ...args);
      expect([refused.code, [codeOf(refused)]]).toEqual([exit, codes]);
    }
  },
  PATIENCE,
);

test(
  'slots of one archive that were exchanged are the same signatures, and say the same; a tar lists which is in which',
  async () => {
    for (const format of formats) {
      const archive = `exchanged.${format}`;
      copyFileSync(join(stage.folder, `good.${format}`), join(stage.folder, archive));
      expect((await stage.run('sign', archive, '--private-key', 'security.key')).code).toBe(0);
      const bytes = readFileSync(join(stage.folder, archive));
      const [first, second] = (await placesIn(stage, archive)).slots;
      const before = Buffer.from(cut(bytes, first));
      cut(bytes, first).set(cut(bytes, second));
      cut(bytes, second).set(before);
      writeFileSync(join(stage.folder, archive), bytes);
      const verified = async (): Promise<unknown[]> => {
        const { code, stdout } = await stage.run('verify', archive, '--json', ...policy(rule({ threshold: 2 })));
        const { signers, findings } = JSON.parse(stdout);
        expect(signers.sort()).toEqual([release.id, security.id].sort());
        return [
          code,
          ...findings.map((finding: { code: string; subject: string }) => `${finding.code} ${finding.subject}`),
        ];
      };
      const unlike = [1, 'signature-invalid slot 0', 'signature-invalid slot 1'];
      expect(await verified()).toEqual(format === 'tar' ? unlike : [0]);
      expect((await stage.run('sign', archive, '--private-key', 'security.key', '--verify')).code).toBe(0);
      expect(await verified()).toEqual([0]);
    }
  },
  PATIENCE,
);

test(
  'an older release than the one that is installed',
  async () => {
    const name = 'an older release than the one that is installed';
    expect((await installs(stage, 'newer.iso', '--key', 'release.pub')).code).toBe(0);
    const { code, stdout } = await stage.run(
      ...['verify', 'good.iso', '--json', '--key', 'release.pub', '--trust-state', 'state'],
    );
    const codes = JSON.parse(stdout).findings.map((finding: { code: string }) => finding.code);
    expect([code, codes]).toEqual([rowOf(name).exit, rowOf(name).codes]);
    const installed = await installs(stage, 'good.iso', '--key', 'release.pub');
    expect([installed.code, codeOf(installed)]).toEqual([rowOf(name).exit, 'not-trusted']);
    expect(installed.stderr).toContain(`(${rowOf(name).codes[0]})`);
  },
  PATIENCE,
);

test(
  'an expired release under a clock that was turned back',
  async () => {
    const name = 'an expired release under a clock that was turned back';
    // What `newer.iso` says of its own date is remembered, and it is later than the end of the other.
    await installs(stage, 'newer.iso', '--key', 'release.pub');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2025, 5, 1) });
    const before = await stage.run('verify', 'until-then.iso', '--json', '--key', 'release.pub');
    expect(before.code).toBe(0);
    const after = await stage.run(
      ...['verify', 'until-then.iso', '--json', '--key', 'release.pub', '--trust-state', 'state'],
    );
    const codes = JSON.parse(after.stdout).findings.map((finding: { code: string }) => finding.code);
    expect([after.code, codes.sort()]).toEqual([rowOf(name).exit, [...rowOf(name).codes].sort()]);
  },
  PATIENCE,
);

/** Remembers a Solution from the future, which a policy has let pass; then asks for `good.iso` by a key from there. */
async function expectNoKeyOfTheFuture(attack: string, name: string): Promise<void> {
  rmSync(join(stage.folder, 'state'), { recursive: true, force: true });
  await stage.pack(`${name}.iso`, 'sequence = 1\ncreated = 2155-12-31T00:00:00Z', name);
  const allowing = { policies: [{ match: '*', keys: [release.id], maxDaysAhead: 100_000 }] };
  expect(await stage.run(...installArgsOf(stage, `${name}.iso`, name, policy(allowing)))).toMatchObject({ code: 0 });
  rmSync(join(stage.folder, 'rendered'), { recursive: true });
  const { keys } = releaseIs({ notBefore: SOON });
  await expectRefused(stage, attack, 'good.iso', [...policy({ ...allowing, keys }), '--trust-state', 'state']);
}

for (const [name, attack] of [
  ['other', 'a key from the future, once another Solution has come from there'],
  ['hello', 'a key from the future, once an earlier release of the Solution has come from there'],
] as const) {
  test(attack, () => expectNoKeyOfTheFuture(attack, name), PATIENCE);
}

test(
  'what a Solution from the future says of the time lets no other one expire, nor the keys of others',
  async () => {
    await expectNoKeyOfTheFuture('a key from the future, once another Solution has come from there', 'other');
    await stage.pack('mortal.iso', 'sequence = 6\ncreated = 2026-03-01T00:00:00Z\nexpires = 2150-01-01T00:00:00Z');
    expect(await installs(stage, 'mortal.iso', ...policy(releaseIs({ notAfter: SOON })))).toMatchObject({ code: 0 });
    rmSync(join(stage.folder, 'rendered'), { recursive: true });
    rmSync(join(stage.folder, 'state'), { recursive: true });
  },
  PATIENCE,
);

test(
  'the signature of a root as one of a policy',
  async () => {
    const { exit, codes } = rowOf('the signature of a root as one of a policy');
    const rotation = { rotation: { keys: [release.id], threshold: 1 } };
    writePolicy(join(stage.folder, 'current.json'), [release], rotation);
    writePolicy(join(stage.folder, 'next.json'), [release], { ...rotation, version: 2 });
    const { bundle } = await signedIn(stage, stage.bytes('iso'), 'iso');
    writeFileSync(join(stage.folder, 'next.json.sigstore.jsonl'), `${JSON.stringify(bundle)}\n`);
    const accept = ['trust', 'accept', 'next.json', '--current', 'current.json'];
    const refused = await stage.run(...accept);
    expect([refused.code, [codeOf(refused)]]).toEqual([exit, codes]);
    expect(await stage.run('trust', 'sign', 'next.json', '--private-key', 'release.key')).toMatchObject({ code: 0 });
  },
  PATIENCE,
);

/** The order of the group of P-256 (FIPS 186-5, SP 800-186 §3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The second signature that an ECDSA signature in DER stands for, in base64. */
function otherSignature(base64: string): string {
  const der = Buffer.from(base64, 'base64');
  const r = der.subarray(2, 4 + der[3]!);
  const s = der.subarray(2 + r.length + 2);
  const other = (ORDER - BigInt(`0x${s.toString('hex')}`)).toString(16).padStart(64, '0');
  const digits = Buffer.from(other, 'hex');
  const start = digits.findIndex((byte) => byte !== 0);
  const positive =
    digits[start]! >= 0x80 ? Buffer.concat([Buffer.from([0]), digits.subarray(start)]) : digits.subarray(start);
  const body = Buffer.concat([r, Buffer.from([2, positive.length]), positive]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]).toString('base64');
}
