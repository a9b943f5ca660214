import { expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { keyIdOfHint } from '../../../formats/sigstore/hint.ts';

const id = sha256('a key').slice('sha256:'.length);
const hint = Buffer.from(id, 'hex').toString('base64');

test('the hint of a bundle names the key whose digest it is', () => {
  expect(keyIdOfHint(hint)).toBe(id);
});

test.each([
  [
    'with a bit that means nothing',
    hint.replace(/.=$/, (end) => `${end === '4=' ? '5' : String.fromCharCode(end.charCodeAt(0) + 1)}=`),
  ],
  ['in the alphabet for addresses', Buffer.from(id, 'hex').toString('base64url')],
  ['without its end', hint.slice(0, -1)],
  ['with a line break', `${hint}\n`],
  ['in hexadecimal', id],
])('a hint %s names another one', (_, other) => {
  expect(keyIdOfHint(other)).not.toBe(id);
});
