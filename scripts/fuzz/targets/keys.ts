import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { cosignLabels, parseCosignKey } from '../../../formats/keys/cosign.ts';
import { decodePem, encodePem, pemLabel } from '../../../formats/keys/pem.ts';
import { policyFrom } from '../../../lib/parts/trust/policy.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const [label] = cosignLabels;
const box = {
  kdf: { name: 'scrypt', params: { N: 32768, r: 8, p: 1 }, salt: 'c2FsdA==' },
  cipher: { name: 'nacl/secretbox', nonce: Buffer.alloc(24).toString('base64') },
  ciphertext: 'AAAA',
};
const scalar = '01'.repeat(32);
const pems = [
  createPrivateKey({ key: der(`302e020100300506032b657004220420${scalar}`), format: 'der', type: 'pkcs8' }),
  createPrivateKey({ key: der(`30310201010420${scalar}a00a06082a8648ce3d030107`), format: 'der', type: 'sec1' }),
].map((key) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString());
const policies = pems.map((pem) => {
  const id = createHash('sha256').update(decodePem('PUBLIC KEY', pem)).digest('hex');
  return JSON.stringify({ version: 1, keys: [{ id, pem }], policies: [{ match: '*', keys: [id] }] });
});

/** Keys, alone and in policies. */
export const keys = parsers(
  'keys',
  60,
  '-----BEGIN PUBLIC KEY-----\n¦-----END PUBLIC KEY-----¦-----BEGIN ¦-----¦\\n¦====¦EC PARAMETERS¦"N":' +
    '¦1073741824¦"scrypt"¦"nonce":¦"status":"revoked"¦MFkwEwYHKoZIzj0CAQ¦MCowBQYDK2VwAyEA',
  {
    pem: { samples: pems, read: (bytes) => readPem(bytes.toString()) },
    cosign: {
      samples: [JSON.stringify(box)],
      wraps: [(bytes) => Buffer.from(encodePem(label!, bytes))],
      read: (bytes) => void parseCosignKey(label!, bytes.toString()),
    },
    policy: { samples: policies, read: async (bytes) => void (await policyFrom('policy.json', bytes, 'pem')) },
  },
);

function readPem(text: string): void {
  pemLabel(text);
  const bytes = decodePem('PUBLIC KEY', text);
  must(Buffer.from(decodePem('X', encodePem('X', bytes))).equals(bytes), 'PEM that was written anew is other');
}

function der(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
