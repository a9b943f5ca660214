import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { preAuthentication } from '../../formats/in-toto/envelope.ts';
import { statementMediaType } from '../../formats/in-toto/statement.ts';
import { encodeStatementBundle } from '../../formats/sigstore/dsse-bundle.ts';
import { generateKey } from '../../lib/parts/trust/index.ts';
import { occurrences } from '../../scripts/fuzz/documents.ts';
import { attack, type Forge } from './attack.ts';
import { type Signed, signedIn } from './slots.ts';
import { setStage } from './stage.ts';

// Whoever writes into the slots of an archive that nobody has changed otherwise: the signature counts, or nothing.

const stage = setStage('signatures');
const keyOf = (name: string): KeyObject => createPrivateKey(readFileSync(join(stage.folder, `${name}.key`)));
const hintOf = (id: string): string => Buffer.from(id, 'hex').toString('base64');

beforeAll(() => stage.pack('other.iso', 'sequence = 3\ndescription = "another release...."'));

/** An attack by what is in the slots. */
function slots(name: string, write: (signed: Signed) => unknown): void {
  const forge: Forge = async (bytes, format) => await write(await signedIn(stage, bytes, format));
  attack(stage, name, { iso: forge, tar: forge });
}

/** The good bundle with a signature of a key over other bytes, under the name of `release`. */
function signedOver({ bundle }: Signed, message: Uint8Array, key = 'release', hash: string | null = 'sha256'): object {
  const signature = sign(hash, message, keyOf(key)).toString('base64');
  return { ...bundle, messageSignature: { ...bundle.messageSignature, signature } };
}

slots('no signature', ({ put }) => put(''));

slots('a signature of a stranger', (signed) => {
  const publicKey = { hint: hintOf(stage.keys.stranger.id) };
  signed.put({ ...signedOver(signed, signed.root, 'stranger'), verificationMaterial: { publicKey } });
});

slots('a signature of a stranger under the name of a trusted key', (signed) => {
  signed.put(signedOver(signed, signed.root, 'stranger'));
});

slots('a key that the archive brings along', (signed) => {
  const publicKey = { hint: hintOf(stage.keys.stranger.id), rawBytes: stage.keys.stranger.pem };
  signed.put({ ...signedOver(signed, signed.root, 'stranger'), verificationMaterial: { publicKey } });
});

slots('a certificate that the archive brings along', (signed) => {
  const certificate = { rawBytes: Buffer.from(stage.keys.stranger.pem).toString('base64') };
  signed.put({ ...signedOver(signed, signed.root, 'stranger'), verificationMaterial: { certificate } });
});

slots('a signature of another archive', async ({ put }) => {
  const other = await signedIn(stage, readFileSync(join(stage.folder, 'other.iso')), 'iso');
  put(other.bundle);
});

const withRoot: Forge = async (bytes, format) => {
  const { root, put } = await signedIn(stage, bytes, format);
  const other = await signedIn(stage, readFileSync(join(stage.folder, 'other.iso')), 'iso');
  expect(other.root.length).toBe(root.length);
  const places = occurrences(bytes, Buffer.from(root));
  expect(places.length).toBe(format === 'iso' ? 1 : 2);
  for (const at of places) other.root.copy(bytes, at);
  put(other.bundle);
};

attack(stage, 'the root of another archive, with its signature', { iso: withRoot, tar: withRoot });

slots('a signature by another algorithm under the name of a trusted key', (signed) => {
  const { privatePem } = generateKey('ed25519');
  const signature = sign(null, signed.root, createPrivateKey(privatePem)).toString('base64');
  const messageSignature = { ...signed.bundle.messageSignature, signature };
  signed.put({ ...signed.bundle, messageSignature });
});

slots('a digest by another algorithm', (signed) => {
  const digest = createHash('sha512').update(signed.root).digest('base64');
  const messageDigest = { algorithm: 'SHA2_512', digest };
  signed.put({ ...signed.bundle, messageSignature: { ...signed.bundle.messageSignature, messageDigest } });
});

slots('a signature over the digest in the place of the bytes', (signed) => {
  signed.put(signedOver(signed, createHash('sha256').update(signed.root).digest()));
});

slots('a signature of nothing but zeros', (signed) => {
  const signature = Buffer.from('3006020100020100', 'hex').toString('base64');
  signed.put({ ...signed.bundle, messageSignature: { ...signed.bundle.messageSignature, signature } });
});

const statement = Buffer.from('{"_type":"https://in-toto.io/Statement/v1"}');

slots('an attestation in the place of a signature', (signed) => {
  const signature = sign('sha256', preAuthentication(statementMediaType, statement), keyOf('release'));
  signed.put(encodeStatementBundle({ hint: hintOf(stage.keys.release.id), statement, signature }));
});

slots('the signature of an attestation as one of the root', (signed) => {
  signed.put(signedOver(signed, preAuthentication(statementMediaType, signed.root)));
});

slots('an attestation and a signature in one bundle', (signed) => {
  const signature = sign('sha256', preAuthentication(statementMediaType, statement), keyOf('release'));
  const both = JSON.parse(
    Buffer.from(encodeStatementBundle({ hint: hintOf(stage.keys.release.id), statement, signature })).toString(),
  );
  signed.put({ ...both, ...signed.bundle });
});

slots('a signature in the place of an attestation', ({ bundle, put }) => put(bundle, 'provenance'));

slots('an attestation about another archive', async ({ put }) => {
  const other = await signedIn(stage, readFileSync(join(stage.folder, 'other.iso')), 'iso');
  put(other.provenance, 'provenance');
});

slots('a statement that was changed after it was signed', ({ provenance, put }) => {
  const bundle = JSON.parse(provenance);
  const payload = Buffer.from(Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString().replace('hello', 'jello'));
  put({ ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, payload: payload.toString('base64') } }, 'provenance');
});

slots('the signature of a policy as one of the root', async (signed) => {
  signed.put(signedOver(signed, Buffer.from('{"version":2}')));
});

slots('the signature of a mend as one of the root', async (signed) => {
  signed.put(signedOver(signed, Buffer.from('{"type":"solpack-mend/v1"}')));
});

slots('a field that a bundle has twice', ({ bundle, put }) => {
  const text = JSON.stringify(bundle);
  put(text.replace('"messageSignature":', `"messageSignature":${JSON.stringify(bundle.messageSignature)},$&`));
});

slots('bytes behind a bundle', ({ bundle, put }) => put(`${JSON.stringify(bundle)}\n{"hidden":true}`));

slots('junk in a slot beside a good signature', ({ put }) => put('{"hidden":true}', 1));
