import { join } from 'node:path';
import { expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { bundleDefinition } from '../support/operator-bundles.ts';

const folder = scratch('uninstall');
const plane = sharedControlPlane();

controlPlaneTest(
  'claims that go with a custom resource are reported, and the name of its Solution is typed',
  async () => {
    const definition = JSON.stringify(bundleDefinition('Cache'));
    const cache = 'apiVersion: cache.example.com/v1\nkind: Cache\nmetadata: {name: main, namespace: default}\n';
    const config = 'metadata: {name: edge}\narchives: [cache.iso]\nactive: {cache: "1.0.0"}\n';
    writeFiles(folder, {
      'cache/all.yaml': `${definition}\n---\n${cache}`,
      'cache/solution.toml':
        'name = "cache"\nversion = "1.0.0"\n[[components]]\nname = "all"\nkind = "manifests"\npath = "all.yaml"\n',
      'edge.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n${config}`,
    });
    await succeeds(['pack', 'cache', '-o', 'cache.iso'], { cwd: folder });
    const cluster = ['--kubeconfig', plane().kubeconfig];
    const install = ['install', '-f', 'edge.yaml', '--insecure-skip-verify', ...cluster, '--image-store', 'store'];
    await succeeds(install, { cwd: folder });
    const uid = await plane().kubectl('get', 'cache', 'main', '-o', 'jsonpath={.metadata.uid}');
    const claim = {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      metadata: {
        ...{ name: 'data', namespace: 'default' },
        ownerReferences: [{ apiVersion: 'cache.example.com/v1', kind: 'Cache', name: 'main', uid }],
      },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    writeFiles(folder, { 'claim.json': JSON.stringify(claim) });
    await plane().kubectl('apply', '-f', join(folder, 'claim.json'));
    const asked: string[] = [];
    const uninstall = (says: string | undefined, ...more: string[]): Promise<Outcome> => {
      const ask = async (question: string): Promise<string> => {
        asked.push(question);
        return says ?? '';
      };
      const args = ['uninstall', 'cache', ...cluster, ...more];
      return solpackHere(args, { cwd: folder, ...(says === undefined ? {} : { ask }) });
    };
    const words = /PersistentVolumeClaim\/default\/data of cache (?:would be|is) removed, with the data in it/;
    const nobody = await uninstall(undefined);
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(nobody.stderr).toMatch(/nothing was changed.*--allow-removal cache \[removal-unnamed\]/);
    const wrong = await uninstall('yes');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(wrong.stderr).toMatch(/nothing was changed\n$/);
    expect(await plane().kubectl('get', 'cache', 'main', '-o', 'name')).toContain('main');
    const right = await uninstall('cache', '--json');
    expect(right.code, right.stderr).toBe(0);
    expect(jsonSchemas.uninstall.parse(JSON.parse(right.stdout)).taken).toEqual([
      { object: 'PersistentVolumeClaim default/data', reason: 'it is removed with Cache main' },
    ]);
    expect(asked).toEqual(Array(2).fill('To confirm that this is removed, type the name cache: '));
  },
);
