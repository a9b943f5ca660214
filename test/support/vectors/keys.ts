import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes `p256.key`, `ed25519.key` and their public halves into `folder`. They are drawn from words: nobody may trust
 * them.
 */
export function writeVectorKeys(folder: string): void {
  const keys = { p256: p256(seed('p256')), ed25519: ed25519(seed('ed25519')) };
  for (const [name, key] of Object.entries(keys)) {
    writeFileSync(join(folder, `${name}.key`), key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    writeFileSync(join(folder, `${name}.pub`), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  }
}

function seed(name: string): Buffer {
  return createHash('sha256').update(`solpack test vectors, ${name}`).digest();
}

function ed25519(bytes: Buffer): KeyObject {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([head, bytes]), format: 'der', type: 'pkcs8' });
}

function p256(bytes: Buffer): KeyObject {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(bytes);
  const point = ecdh.getPublicKey();
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), bytes].map((part) => part.toString('base64url'));
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: d! }, format: 'jwk' });
}
