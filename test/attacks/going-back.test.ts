import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { errorInfo } from '../../lib/errors.ts';
import { writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { InstallSite } from '../support/install-site.ts';
import { scratch } from '../support/judges.ts';
import { rowOf } from './table.ts';

const folder = scratch('attacks-going-back');

beforeAll(async () => {
  for (const one of ['full', 'empty', 'source']) mkdirSync(join(folder, one));
  writeFiles(join(folder, 'source'), {
    'solution.toml':
      'name = "shop"\nversion = "1.0.0"\n[[components]]\nname = "web"\nkind = "manifests"\npath = "map.yaml"\n',
    'map.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\ndata: {version: "1.0.0"}\n',
  });
  await packHere(join(folder, 'source/solution.toml'), join(folder, 'full/shop.iso'));
});

test('a medium that somebody has emptied removes nothing of what it brought', async () => {
  const { codes, exit } = rowOf('a medium that somebody has emptied');
  const site = new InstallSite(folder);
  await site.installs('solutions: [{name: shop, archives: ["full/*.iso"]}]\n');
  for (const entry of ['empty', 'empty/*.iso']) {
    const error = await site.installs(`solutions: [{name: shop, archives: ["${entry}"]}]\n`);
    expect(codes).toContain(error?.code);
    expect(errorInfo[error!.code].exit).toBe(exit);
  }
  expect(site.versions()).toEqual({ default: '1.0.0' });
});
