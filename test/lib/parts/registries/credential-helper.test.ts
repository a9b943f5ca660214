import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  credentialHelpers,
  credentialsFromFiles,
  type FindCredentials,
} from '../../../../lib/parts/registries/index.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { dockerRegistry, user } from '../../../support/registry.ts';
import { connect } from './faults.ts';

const folder = scratch('credential-helper');
const bin = join(folder, 'bin');
mkdirSync(bin);
const registry = dockerRegistry(folder, { htpasswd: true });
let files = 0;

/** Puts a helper on the path that runs these lines of shell. */
function helper(name: string, script: string): void {
  const path = join(bin, `docker-credential-${name}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

function find(content: object): FindCredentials {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, JSON.stringify(content));
  const context = {
    host: { path: [bin], temp: folder },
    env: { PATH: '/usr/bin:/bin', KEYCHAIN: 'mine' },
    signal: new AbortController().signal,
  };
  return credentialsFromFiles([path], credentialHelpers(context));
}

const auth = { auth: Buffer.from('file:secret').toString('base64') };
const answer = (username: string, secret: string): string =>
  `printf '%s' '${JSON.stringify({ ServerURL: 'x', Username: username, Secret: secret })}'`;

describe('credential helpers', () => {
  test('are asked for the registry by its name, in the environment of the user', async () => {
    helper('asked', `printf '%s %s %s' "$1" "$(cat)" "$KEYCHAIN" > ${folder}/asked\n${answer('ada', 'a "b" c')}`);
    const own = find({ credHelpers: { 'r.example.com:5000': 'asked' } });
    expect(await own('r.example.com:5000', 'team/web')).toEqual({ username: 'ada', password: 'a "b" c' });
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('get r.example.com:5000 mine');
    expect(await own('r.example.com', 'team/web')).toBeUndefined();
    const hub = find({ credsStore: 'asked' });
    await hub('docker.io', 'library/nginx');
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('get https://index.docker.io/v1/ mine');
  });

  test('of a registry come before the one for all, and that before what the file itself says', async () => {
    helper('own', answer('own', '1'));
    helper('all', answer('all', '2'));
    helper('none', 'echo "credentials not found in native keychain"; exit 1');
    const auths = { 'r.example.com': auth };
    const helpers = { 'r.example.com': 'own' };
    const ask = (content: object) => find(content)('r.example.com', 'web');
    expect(await ask({ credHelpers: helpers, credsStore: 'all', auths })).toMatchObject({ username: 'own' });
    expect(await ask({ credsStore: 'all', auths })).toMatchObject({ username: 'all' });
    expect(await ask({ credHelpers: { 'r.example.com': 'none' }, credsStore: 'all' })).toMatchObject({
      username: 'all',
    });
    expect(await ask({ credsStore: 'none', auths })).toEqual({ username: 'file', password: 'secret' });
    expect(await ask({ credsStore: 'none' })).toBeUndefined();
  });

  test('that answer for <token> give an identity token', async () => {
    helper('identity', answer('<token>', 'refresh'));
    expect(await find({ credsStore: 'identity' })('r.example.com', 'web')).toEqual({
      username: '',
      password: '',
      identityToken: 'refresh',
    });
  });

  test.each(['../evil', 'a b', '-x', 'x;touch y', '', '$(id)'])('of the name %j are not run', async (name) => {
    const asked = find({ credHelpers: { 'r.example.com': name } })('r.example.com', 'web');
    if (name === '') expect(await asked).toBeUndefined();
    else
      await expect(asked).rejects.toMatchObject({
        code: 'credentials-invalid',
        message: expect.stringContaining('not a valid name'),
      });
  });

  test.each([
    ['fail', 'echo secret; echo secret >&2; exit 3', 'ended with 3'],
    ['babble', 'echo no json but secret', 'answered what is not'],
    ['lack', `printf '{"Username":"ada"}'`, 'answered what is not'],
    ['flood', 'head -c 300000 /dev/zero', 'answered too much'],
  ])('that %s are reported without what they said', async (name, script, message) => {
    helper(name, script);
    const error = await find({ credsStore: name })('r.example.com', 'web').catch((caught) => caught);
    expect(error).toMatchObject({
      code: 'credentials-invalid',
      subject: `docker-credential-${name}`,
      message: expect.stringContaining(message),
    });
    expect(error.message).not.toContain('secret');
  });

  test('that are not there are named with the file that wants them', async () => {
    await expect(find({ credsStore: 'absent' })('r.example.com', 'web')).rejects.toMatchObject({
      code: 'tool-missing',
      subject: 'docker-credential-absent',
      hint: expect.stringContaining('.json names it'),
    });
  });

  judged('log in to a registry', ['docker-registry'], async () => {
    const { host } = await registry();
    helper('real', `printf '%s' '${JSON.stringify({ Username: user.username, Secret: user.password })}'`);
    const repository = await connect(host, 'team/web', { credentials: find({ credHelpers: { [host]: 'real' } }) });
    expect(await repository.resolve('1')).toBeUndefined();
    await repository.close();
  });
});
