import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { knownNames, type WantedNames } from '../../../../lib/flows/complete/index.ts';
import { smallSolution, succeeds, writeFiles } from '../../../support/cli.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';
import { archive, entry } from '../../../support/tar.ts';

const folder = scratch('complete');
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  await smallSolution(at('hello'));
  await succeeds(['pack', at('hello'), '-o', at('hello.iso')]);
  await succeeds(['pack', at('hello'), '-o', at('hello.tar')]);
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  writeFiles(folder, {
    'grouped.yaml': `${head}solutions:\n  - name: hello\n    activeVersion: 1.0.0\n    archives: [hello.iso, "gone-*.iso"]\n    environments: {team-b: latest, team-a: 1.0.0}\n`,
    'flat.yaml': `${head}archives: [pipe.iso, gone.iso, hello.tar, https://127.0.0.1:9/a.iso]\nactive: {other: latest}\n`,
    'any.tar': archive(...['components/base/base.yaml', 'components/web/pod.yaml', 'x'].map((path) => entry(path))),
    'broken.yaml': 'kind: [',
    'broken.iso': 'nothing',
  });
  execFileSync('mkfifo', [at('pipe.iso')]);
});

async function names(wanted: WantedNames, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const flow = testFlow();
  for await (const { name } of knownNames(wanted, signal ? { ...flow, signal } : flow)) found.push(name);
  return found.sort();
}

describe('names for somebody who types', () => {
  test.each(['hello.iso', 'any.tar'])('are those of one folder of an archive: %s', async (name) => {
    const files = (prefix: string): Promise<string[]> => names({ of: 'files', archive: at(name), prefix });
    expect(await files('comp')).toEqual(['components/']);
    expect(await files('components/')).toEqual(['components/base/', 'components/web/']);
    expect(await files('components/web/p')).toEqual(['components/web/pod.yaml']);
    expect(await files('nowhere/')).toEqual([]);
  });

  test('are images and components of archives and definitions', async () => {
    for (const solution of [at('hello.iso'), at('hello/solution.toml')]) {
      expect(await names({ of: 'components', solution })).toEqual(['base', 'web']);
      expect(await names({ of: 'images', solution })).toEqual([
        'registry.example.com/hello/job:1.0.0',
        'registry.example.com/hello/web:1.0.0',
      ]);
    }
  });

  test('are Solutions, versions, archives and components of both forms of configuration', async () => {
    const [grouped, flat] = [at('grouped.yaml'), at('flat.yaml')];
    expect(await names({ of: 'solutions', configuration: grouped })).toEqual(['hello']);
    expect(await names({ of: 'solutions', configuration: flat })).toEqual(['hello', 'other']);
    expect(await names({ of: 'versions', configuration: grouped, solution: 'hello' })).toEqual(['1.0.0']);
    expect(await names({ of: 'versions', configuration: flat, solution: 'hello' })).toEqual(['1.0.0']);
    for (const configuration of [grouped, flat]) {
      expect(await names({ of: 'components', configuration })).toEqual(['base', 'web']);
    }
    expect(await names({ of: 'environments', configuration: grouped, solution: 'hello' })).toEqual([
      'team-a',
      'team-b',
    ]);
    expect(await names({ of: 'environments', configuration: flat, solution: 'other' })).toEqual([]);
    expect(await names({ of: 'archives', configuration: grouped })).toEqual(['gone-*.iso', 'hello.iso']);
  });

  test('are none of what is broken, gone, or no regular file', async () => {
    for (const name of ['broken.iso', 'gone.iso', 'pipe.iso', '.']) {
      expect(await names({ of: 'files', archive: at(name), prefix: '' })).toEqual([]);
      expect(await names({ of: 'images', solution: at(name) })).toEqual([]);
    }
    expect(await names({ of: 'solutions', configuration: at('broken.yaml') })).toEqual([]);
  });

  test('end where their time does', async () => {
    expect(await names({ of: 'files', archive: at('hello.iso'), prefix: '' }, AbortSignal.abort())).toEqual([]);
  });
});
