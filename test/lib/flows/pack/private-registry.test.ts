import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { solpack } from '../../../support/cli.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { withArchive, writeDefinition } from '../../../support/packing.ts';
import { dockerRegistry, user } from '../../../support/registry.ts';

const folder = scratch('private');
const registry = dockerRegistry(folder, { htpasswd: true });

judged('pack takes an image from a registry that asks for a password', ['docker-registry', 'skopeo'], async () => {
  const { host } = await registry();
  const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'private' });
  await writeLayout(join(folder, 'in'), [{ name: 'v1', image }]);
  const login = ['--dest-creds', `${user.username}:${user.password}`, '--dest-tls-verify=false'];
  await ok('skopeo', [
    '--insecure-policy',
    'copy',
    '--all',
    ...login,
    `oci:${folder}/in:v1`,
    `docker://${host}/team/web:v1`,
  ]);
  const auth = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  writeFileSync(join(folder, 'auth.json'), JSON.stringify({ auths: { [host]: { auth } } }));
  writeFileSync(join(folder, 'none.json'), JSON.stringify({ auths: {} }));
  const source = `docker://${host}/team/web:v1`;
  writeDefinition(join(folder, 'src'), [{ reference: 'registry.example.com/team/web:v1', source }]);
  const pack = (file: string) =>
    solpack(['pack', 'src', '-o', 'out.tar'], { cwd: folder, env: { REGISTRY_AUTH_FILE: join(folder, file) } });
  const refused = await pack('none.json');
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(`${host}/team/web`) });
  expect(await pack('auth.json')).toMatchObject({ code: 0 });
  await withArchive(join(folder, 'out.tar'), ({ catalog }) => {
    expect(catalog.images[0]!.descriptor.digest).toBe(image.index.digest);
  });
});
