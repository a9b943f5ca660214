import { createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { fillSlot } from '../../../../formats/sigstore/slot.ts';
import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import {
  generateKey,
  judgeTrust,
  loadPrivateKey,
  type PrivateKey,
  trustInFingerprints,
  trustInKeys,
} from '../../../../lib/parts/trust/index.ts';
import { publicKeyOf } from '../../../../lib/parts/trust/keys.ts';
import { scratch } from '../../../support/judges.ts';
import { signRoot } from '../../../support/sign-root.ts';

const folder = scratch('fingerprint');
let made = 0;

function newKey(algorithm: 'ecdsa-p256-sha256' | 'ed25519'): Promise<PrivateKey> {
  const path = join(folder, `${++made}.key`);
  writeFileSync(path, generateKey(algorithm).privatePem);
  return loadPrivateKey(path);
}

const root = utf8('{"root":true}');
const metadata = { name: 'hello', version: '1.0.0', created: 0, components: [] } as unknown as SolutionMetadata;

async function evidence(...algorithms: ('ecdsa-p256-sha256' | 'ed25519')[]) {
  const keys = await Promise.all(algorithms.map(newKey));
  const slots = await Promise.all(keys.map(async (key) => fillSlot(await signRoot(root, key), 8192)));
  const of = { root, slots, bundles: [], metadata, predicates: [], images: [] };
  return { of, ids: keys.map((key) => key.public.keyId) };
}

describe('a key that is known by its fingerprint alone', () => {
  test('is what a signature of ECDSA tells, and counts if it has the fingerprint', async () => {
    for (let times = 0; times < 8; times += 1) {
      const { of, ids } = await evidence('ecdsa-p256-sha256');
      expect(judgeTrust(of, trustInFingerprints(ids))).toEqual({ trusted: true, signers: ids, findings: [] });
    }
  });

  test('does not count for another root, nor if another key has signed', async () => {
    const { of, ids } = await evidence('ecdsa-p256-sha256');
    const codes = judgeTrust({ ...of, root: utf8('{}') }, trustInFingerprints(ids)).findings.map(({ code }) => code);
    expect(codes).toEqual(['signature-invalid', 'signature-untrusted']);
    const other = publicKeyOf(createPublicKey(generateKey('ecdsa-p256-sha256').publicPem), 'other').keyId;
    const refused = judgeTrust(of, trustInFingerprints([other]));
    expect([refused.trusted, refused.findings.map(({ code }) => code)]).toEqual([false, ['signature-untrusted']]);
  });

  test('is not told by a signature of Ed25519, which says what to do', async () => {
    const { of, ids } = await evidence('ed25519');
    expect(() => judgeTrust(of, trustInFingerprints(ids))).toThrow(
      expect.objectContaining({ code: 'key-invalid', hint: expect.stringContaining('--key') }),
    );
  });

  test('is not pretended by a bundle that claims the fingerprint, and was made by another key', async () => {
    const { of, ids } = await evidence('ecdsa-p256-sha256', 'ecdsa-p256-sha256');
    const [mine = '', theirs = ''] = ids.map((id) => Buffer.from(id, 'hex').toString('base64'));
    const forged = Buffer.from(of.slots[1]!).toString().replace(theirs, mine);
    const { trusted, findings } = judgeTrust({ ...of, slots: [utf8(forged)] }, trustInFingerprints([ids[0]!]));
    expect([trusted, findings.map(({ code }) => code)]).toEqual([false, ['signature-untrusted']]);
  });
});

test('a list of nobody to trust is refused, and never means that nobody is asked for', () => {
  const nothing = [undefined, null] as unknown as [[], []];
  const given = [[], ...nothing] as const;
  const asked = given.flatMap((keys) => [() => trustInKeys(keys), () => trustInFingerprints(keys)]);
  for (const trust of asked) {
    expect(trust).toThrow(expect.objectContaining({ code: 'trust-required' }));
  }
});
