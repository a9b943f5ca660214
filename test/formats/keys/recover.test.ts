import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { recoverP256 } from '../../../formats/keys/recover.ts';

test('the key of a signature by OpenSSL is among those that are possible, and these are few', () => {
  const message = Buffer.from('message');
  const digest = createHash('sha256').update(message).digest();
  for (let times = 0; times < 16; times += 1) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const found = recoverP256(sign('sha256', message, privateKey), digest).map((one) =>
      Buffer.from(one).toString('hex'),
    );
    expect(found).toContain(point.toString('hex'));
    expect(found.length).toBeLessThanOrEqual(4);
  }
});

test('what is no signature tells no key', () => {
  const digest = Buffer.alloc(32, 1);
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(64),
    Buffer.from('3006020100020100', 'hex'),
    Buffer.from('30', 'hex'),
  ]) {
    expect(recoverP256(bytes, digest)).toEqual([]);
  }
});
