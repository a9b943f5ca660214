import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { solpack, writeFiles } from '../support/cli.ts';
import { judged, scratch } from '../support/judges.ts';
import { solpackWith } from '../support/under-test.ts';

const folder = scratch('temporary-files');
const counting = solpackWith('--import', join(import.meta.dirname, '../support/count-syncs.mjs'));

/** Runs solpack in the folder `place`, and returns how often it synced a file or a folder. */
async function syncsOf(place: string, args: readonly string[]): Promise<number> {
  const log = join(folder, 'syncs');
  writeFileSync(log, '');
  const { code, stderr } = await solpack(args, { cwd: place, env: { SOLPACK_SYNCS: log } }, counting);
  if (code !== 0) throw new Error(`solpack ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return readFileSync(log, 'utf8').split('\n').length - 1;
}

/**
 * A Solution with a component of each kind that reads files of its own, `count` of them, and says the same however many
 * these are.
 */
function solutionOf(count: number): string {
  const place = join(folder, String(count));
  const names = Array.from({ length: count }, (_, index) => `${index}.yaml`);
  const many = (path: string, text: string): Record<string, string> =>
    Object.fromEntries(names.map((name) => [`${path}/${name}`, text]));
  const component = (name: string, kind: string): string =>
    `[[components]]\nname = "${name}"\nkind = "${kind}"\npath = "${name}"\n`;
  const kustomization = 'kind: Kustomization\nresources: [namespace.yaml]\n';
  const namespace = (name: string): string => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;
  writeFiles(place, {
    'solution.toml': `name = "many"\nversion = "1.0.0"\n${component('manifests', 'manifests')}${component('plugin', 'plugin')}`,
    'solutions.yaml':
      'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nsolutions: [{name: many, archives: [many.iso]}]\n',
    ...many('manifests', '# nothing\n'),
    'manifests/namespace.yaml': namespace('manifests'),
    ...many('plugin', '# nothing\n'),
    'plugin/namespace.yaml': namespace('plugin'),
    'plugin/plugin': `#!/bin/sh\ncase $1 in api-version) echo v1 ;; run) printf '${kustomization.replaceAll('\n', '\\n')}' ;; esac\n`,
  });
  chmodSync(join(place, 'plugin/plugin'), 0o755);
  cpSync(join(place, 'plugin'), join(place, 'loaded/010-plugin'), { recursive: true });
  return place;
}

const few = solutionOf(1);
const many = solutionOf(60);

describe('what is temporary is never synced', () => {
  test.each([['check'], ['images'], ['render']])('by "%s"', async (command) => {
    expect(await syncsOf(many, [command, '.'])).toBe(0);
  });

  judged(
    'by "pack", "install" and "load", which sync what they leave, however many files components have',
    ['kubectl'],
    async () => {
      const lines = [
        ['pack', '.', '-o', 'many.iso'],
        ['install', '-f', 'solutions.yaml', '--insecure-skip-verify', '--render', 'rendered'],
        ['load', 'loaded', '--render', 'of-load'],
      ];
      const [ofFew, ofMany]: [number[], number[]] = [[], []];
      for (const line of lines) {
        ofFew.push(await syncsOf(few, line));
        ofMany.push(await syncsOf(many, line));
      }
      expect(ofMany).toEqual(ofFew);
      // The folder of an install is kept: that much is counted.
      expect(ofFew[1]).toBeGreaterThan(0);
    },
  );
});
