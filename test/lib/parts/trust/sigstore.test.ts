import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { encodeStatement } from '../../../../formats/in-toto/statement.ts';
import { generateKey, loadPrivateKey, type PrivateKey, signStatementBy } from '../../../../lib/parts/trust/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';
import { signRoot } from '../../../support/sign-root.ts';

const folder = scratch('sigstore');
const root = utf8('{"root":true}');

async function key(name: string): Promise<PrivateKey> {
  const path = join(folder, name);
  writeFileSync(path, generateKey('ecdsa-p256-sha256').privatePem);
  return loadPrivateKey(path);
}

/** Lets Sigstore's own library decide whether `key` has signed `message`; it knows no other key and no log. */
function judge(bundle: Uint8Array, message: Uint8Array | undefined, { key: own, keyId }: PrivateKey['public']): void {
  const nobody = { mediaType: '', certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
  const trust = toTrustMaterial({ ...nobody }, (hint) => {
    if (Buffer.from(hint, 'base64').toString('hex') !== keyId) throw new Error(`no key ${hint}`);
    return { publicKey: own, validFor: () => true };
  });
  const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
  const parsed = bundleFromJSON(JSON.parse(Buffer.from(bundle).toString()));
  verifier.verify(toSignedEntity(parsed, message && Buffer.from(message)));
}

describe("Sigstore's own library", () => {
  test('verifies a bundle', async () => {
    const own = await key('own');
    judge(await signRoot(root, own), root, own.public);
  });

  test('verifies the bundle of a statement, and refuses it for another key and for another statement', async () => {
    const [own, other] = [await key('stated'), await key('other')];
    const about = { name: 'root', digest: sha256(root) };
    const statement = encodeStatement(about, 'https://cyclonedx.org/bom', utf8('{}'));
    const bundle = await signStatementBy(statement, own, testFlow());
    judge(bundle, undefined, own.public);
    expect(() => judge(bundle, undefined, other.public)).toThrow('no key');
    const forged = JSON.parse(Buffer.from(bundle).toString());
    const lie = encodeStatement(about, 'https://slsa.dev/provenance/v1', utf8('{}'));
    forged.dsseEnvelope.payload = Buffer.from(lie).toString('base64');
    expect(() => judge(utf8(JSON.stringify(forged)), undefined, own.public)).toThrow('signature verification failed');
  });

  test('refuses it for another message, and for another key', async () => {
    const [own, other] = [await key('one'), await key('two')];
    const bundle = await signRoot(root, own);
    expect(() => judge(bundle, utf8('{"root":false}'), own.public)).toThrow('signature verification failed');
    expect(() => judge(bundle, root, other.public)).toThrow('no key');
    const forged = await signRoot(root, { ...other, public: { ...other.public, keyId: own.public.keyId } });
    expect(() => judge(forged, root, own.public)).toThrow('signature verification failed');
  });
});
