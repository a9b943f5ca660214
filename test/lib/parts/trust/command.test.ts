import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { fillSlot } from '../../../../formats/sigstore/slot.ts';
import {
  type CommandSigner,
  generateKey,
  judgeSignatures,
  loadPublicKey,
  signRoot,
} from '../../../../lib/parts/trust/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';

const folder = scratch('command');
const root = utf8('{"root":true}');
const ed25519 = (file: string): string =>
  `cat >message && openssl pkeyutl -sign -rawin -inkey ed.key -in message -out ${file} && cat ${file}`;

beforeAll(() => {
  for (const [name, algorithm] of [
    ['ec', 'ecdsa-p256-sha256'],
    ['ed', 'ed25519'],
  ] as const) {
    const { privatePem, publicPem } = generateKey(algorithm);
    writeFileSync(join(folder, `${name}.key`), privatePem);
    writeFileSync(join(folder, `${name}.pub`), publicPem);
  }
});

async function signer(command: string, pub: string): Promise<CommandSigner> {
  const env = { PATH: process.env['PATH'] ?? '' };
  return { public: await loadPublicKey(join(folder, pub)), command, cwd: folder, env };
}

describe('a command that signs', () => {
  const dgst = 'openssl dgst -sha256 -sign ec.key';
  // Behind the SEQUENCE of two INTEGERs lie r and s, of 32 bytes each once they are padded (IEEE P1363).
  const raw = `${dgst} | openssl asn1parse -inform DER | sed -n 's/.*INTEGER *:0*//p' | while read n; do printf '%064s' "$n" | tr ' ' 0 | sed 's/../\\\\x&/g' | xargs -0 printf '%b'; done`;
  for (const [name, command, pub] of [
    ['DER, of openssl', dgst, 'ec.pub'],
    ['DER in base64', `${dgst} | base64`, 'ec.pub'],
    ['DER in base64 on one line', `${dgst} | base64 -w0`, 'ec.pub'],
    ['r and s', raw, 'ec.pub'],
    ['r and s in base64', `${raw} | base64`, 'ec.pub'],
    ['Ed25519', ed25519('a'), 'ed.pub'],
    ['Ed25519 in base64', `${ed25519('b')} | base64`, 'ed.pub'],
  ] as const) {
    judged(`is believed once what it printed verifies: ${name}`, ['bash', 'openssl'], async () => {
      const by = await signer(command, pub);
      const bundle = await signRoot(root, by, testFlow());
      const { trusted, findings } = judgeSignatures(root, [fillSlot(bundle, 8192)], [by.public]);
      expect([trusted, findings]).toEqual([[by.public.keyId], []]);
    });
  }

  test.each([
    ['signs by another key', 'openssl dgst -sha256 -sign ec.key', 'ed.pub', /are not a signature by key/],
    ['signs something else', 'echo other | openssl dgst -sha256 -sign ec.key', 'ec.pub', /are not a signature by key/],
    ['prints nothing', 'cat >/dev/null', 'ec.pub', /printed 0 bytes/],
    ['does not read', 'true', 'ec.pub', /printed 0 bytes/],
    ['prints without end', 'cat /dev/zero', 'ec.pub', /ended by SIGKILL/],
    ['fails, and says why', 'echo no card >&2; exit 3', 'ec.pub', /ended with 3: no card/],
    ['is not there', 'no-such-program-here', 'ec.pub', /ended with 127: .*not found/],
  ])('is refused where it %s', async (_, command, pub, message) => {
    const failure = signRoot(root, await signer(command, pub), testFlow());
    await expect(failure).rejects.toMatchObject({ code: 'tool-failed', subject: `--signer '${command}'` });
    await expect(failure).rejects.toThrow(message);
  });

  test('gets the very bytes to sign, and what it says on standard error is reported', async () => {
    const flow = testFlow();
    await expect(signRoot(root, await signer('cat >got; echo touch the key >&2', 'ec.pub'), flow)).rejects.toThrow();
    expect(await ok('cat', [join(folder, 'got')])).toBe('{"root":true}');
    expect(flow.events).toContainEqual({ type: 'notice', subject: '--signer', message: 'touch the key' });
  });

  test('is ended when the user wants an end', async () => {
    const stop = new AbortController();
    const flow = { ...testFlow(), signal: stop.signal, onEvent: () => stop.abort() };
    const failure = signRoot(root, await signer('echo begun >&2; exec sleep 600', 'ec.pub'), flow);
    await expect(failure).rejects.toSatisfy((reason) => reason === stop.signal.reason);
  });
});
