import { expect, test } from 'vitest';
import { planSetup } from '../../../../lib/flows/setup/index.ts';

const request = { profile: '/etc/solpack/profile.toml', program: ['solpack'], copies: [] };

test('a plan names each folder once, also where profile and configuration share it', () => {
  const foldersFor = (configuration: string): string[] =>
    planSetup({ ...request, configuration }).flatMap((action) => (action.kind === 'folder' ? [action.path] : []));
  expect(foldersFor('/etc/solpack/solutions.yaml')).toEqual(['/etc/solpack']);
  expect(foldersFor('/srv/solutions.yaml')).toEqual(['/etc/solpack', '/srv']);
});
