import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parsePasswordFile, passwordMatches } from '../../../../formats/htpasswd/password-file.ts';
import { chooseWay, type Machine, planSetup } from '../../../../lib/flows/setup/index.ts';
import { joinWords, sharedActions, sharedFiles, sharedSecrets } from '../../../../lib/flows/setup/shared.ts';
import { scratch } from '../../../support/judges.ts';

const now = Math.floor(Date.now() / 1000);
const base = scratch('setup-shared');
let folder: string;
let count = 0;

beforeEach(() => {
  count += 1;
  folder = join(base, String(count));
});

const textOf = (actions: ReturnType<typeof sharedActions>, path: string): string => {
  const found = actions.find((one) => one.kind === 'file' && one.path === path);
  return found?.kind === 'file' ? found.text : '';
};

test('a serve for several nodes answers whoever trusts its authority, at each of the addresses', async () => {
  const shared = await sharedSecrets(folder, '127.0.0.1', ['10.0.0.2', '::1', 'fd00::2:1'], now);
  const { server, password } = shared;
  const actions = sharedActions(join(folder, 'profile.toml'), folder, 'https://127.0.0.1:5000', shared);
  const { authority, users } = sharedFiles(folder);
  const ca = textOf(actions, authority);
  expect(ca).not.toContain('PRIVATE');
  expect(passwordMatches(parsePasswordFile(textOf(actions, users)), 'node', password)).toBe(true);
  const listening = createServer({ cert: server, key: server }, (_, answer) => answer.end('ok'));
  await new Promise<void>((settle) => listening.listen(0, '127.0.0.1', settle));
  const { port } = listening.address() as AddressInfo;
  const status = await new Promise((settle, reject) => {
    get(`https://127.0.0.1:${port}/`, { ca }, (answer) => settle(answer.resume().statusCode)).on('error', reject);
  });
  listening.close();
  expect(status).toBe(200);
});

test('what is there already stays, and a certificate that is for other nodes is refused', async () => {
  const first = await sharedSecrets(folder, '10.0.0.1', ['10.0.0.1', '10.0.0.2'], now);
  const files = sharedFiles(folder);
  for (const path of [files.server, files.password]) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(files.server, first.server);
  writeFileSync(files.password, `${first.password}\n`);
  const one = 'https://10.0.0.1:5000';
  const made = sharedActions(join(folder, 'profile.toml'), folder, one, first);
  writeFileSync(files.servers, textOf(made, files.servers));
  const second = await sharedSecrets(folder, '10.0.0.2', [], now);
  expect(second).toEqual({ ...first, servers: `${one}\n` });
  expect(joinWords(folder, 'https://10.0.0.2:5000', '/etc/containerd/certs.d', second.servers)).toContain(
    `join-mirror --served-at ${one} --served-at https://10.0.0.2:5000 --ca-file`,
  );
  await expect(sharedSecrets(folder, '10.0.0.3', [], now)).rejects.toMatchObject({
    code: 'tls-invalid',
    message: expect.stringContaining('is not for 10.0.0.3'),
  });
  writeFileSync(files.server, 'no certificate\n');
  await expect(sharedSecrets(folder, '10.0.0.2', [], now)).rejects.toMatchObject({ code: 'tls-invalid' });
});

test('one of several nodes serves all, if they know an address of it, with files that others may not read', async () => {
  const containerd = {
    kind: 'containerd',
    at: '/run/containerd/containerd.sock',
    hostsDir: '/etc/containerd/certs.d',
  } as const;
  const machine = (addresses: readonly string[]): Machine => ({
    kubernetes: { distribution: 'kubeadm' },
    runtimes: [containerd],
    programs: [],
    systemd: true,
    addresses,
  });
  expect(chooseWay(machine(['172.17.0.1']), 3, ['10.0.0.1', '10.0.0.2'])?.chosen.way).toBe('containerd');
  expect(chooseWay(machine(['fd00::1']), 3, ['fd00::1'])?.chosen).toMatchObject({ address: 'https://[fd00::1]:5000' });
  const images = chooseWay(machine(['172.17.0.1', '10.0.0.1']), 3, ['10.0.0.1', '10.0.0.2'])!.chosen;
  expect(images).toEqual({ way: 'shared', address: 'https://10.0.0.1:5000', hostsDir: '/etc/containerd/certs.d' });
  const shared = await sharedSecrets(folder, '10.0.0.1', [], now);
  const profile = join(folder, 'profile.toml');
  const actions = planSetup({ profile, configuration: '/c', images, shared, program: ['solpack'], copies: [] });
  const files = actions.flatMap((one) => (one.kind === 'file' ? [one] : []));
  for (const { text, mode } of files) {
    if (/PRIVATE|"auth"/.test(text) || text.includes(shared.password)) expect(mode).toBe(0o600);
  }
  const { server, users } = sharedFiles(folder);
  expect(files.at(-1)?.text).toContain(` --tls-cert ${server} --tls-key ${server} --htpasswd ${users} `);
  expect(joinWords('/etc/solpack', 'https://10.0.0.1:5000', '/etc/containerd/certs.d')).toBe(
    'solpack join-mirror --served-at https://10.0.0.1:5000 --ca-file /etc/solpack/nodes/ca.pem --username node --password-file /etc/solpack/nodes/password',
  );
});
