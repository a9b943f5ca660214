import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configuredServers } from '../../../../../lib/shared/solutions/sets/configuration.ts';
import { writeFiles } from '../../../../support/cli.ts';
import { scratch } from '../../../../support/judges.ts';

const folder = scratch('configured-servers');

test('the servers of a configuration are reported without what they are asked for', async () => {
  writeFiles(folder, {
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
archives:
  - a.iso
  - https://user:password@files.example.com/edge/a.iso?token=1
  - https://files.example.com/edge/b.iso
  - oci://registry.example.com/team/shop:1.0.0
  - registry.example.com/team/shop@sha256:${'0'.repeat(64)}
`,
  });
  expect(await configuredServers(join(folder, 'solutions.yaml'))).toEqual({
    addresses: ['https://files.example.com/edge/'],
    registries: ['registry.example.com/team/shop'],
  });
});
