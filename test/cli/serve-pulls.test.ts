import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Running, smallSolution, starts, succeeds } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('serve-pulls');
const cwd = folder;
const file = (name: string): string => join(folder, name);

let serving: Running;
let host: string;
let inspected: { root: string; images: { reference: string; digest: string }[] };

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook/1.1.0'), file('src'), { recursive: true });
  await succeeds(['pack', 'src', '-o', 'a.iso'], { cwd });
  inspected = JSON.parse(await succeeds(['inspect', 'a.iso', '--json'], { cwd }));
  await smallSolution(file('small'));
  await succeeds(['pack', 'small', '-o', 'small.tar'], { cwd });
  serving = await starts(['serve', 'a.iso', 'small.tar', '--listen', '127.0.0.1:0'], { cwd });
  host = new URL(serving.first).host;
});
afterAll(() => serving?.stop());

describe('from serve', () => {
  judged('oras copies every image into a layout, with its digest', ['oras'], async () => {
    expect(inspected.images).toHaveLength(2);
    for (const [index, { reference, digest }] of inspected.images.entries()) {
      const layout = `${file(`oras-${index}`)}:tag`;
      await ok('oras', ['cp', '-r', '--from-plain-http', '--to-oci-layout', `${host}/${reference}`, layout]);
      const fetched = await ok('oras', ['manifest', 'fetch', '--oci-layout', '--descriptor', layout]);
      expect(JSON.parse(fetched).digest).toBe(digest);
    }
  });

  judged('oras pulls the files of the Solution, under their paths', ['oras'], async () => {
    const solution = `${host}/solutions/guestbook`;
    const root = JSON.parse(await ok('oras', ['manifest', 'fetch', '--plain-http', `${solution}:1.1.0`]));
    const isSolution = ({ artifactType }: { artifactType?: string }): boolean => artifactType === root.artifactType;
    const { digest } = root.manifests.find(isSolution);
    await ok('oras', ['pull', '--plain-http', '-o', file('files'), `${solution}@${digest}`]);
    expect(readFileSync(file('files/manifest.yaml'), 'utf8')).toContain('kind: Solution');
    expect(existsSync(file('files/components/crds'))).toBe(true);
  });

  judged('crane pulls every image, and finds its layers to be what its config says', ['crane'], async () => {
    for (const [index, { reference, digest }] of inspected.images.entries()) {
      const name = `${host}/${reference}`;
      expect((await ok('crane', ['digest', '--insecure', name])).trim()).toBe(digest);
      const tarball = file(`crane-${index}.tar`);
      await ok('crane', ['pull', '--insecure', '--platform', 'linux/amd64', name, tarball]);
      await ok('crane', ['validate', '--tarball', tarball]);
    }
    // From a registry, crane takes every layer for a compressed one, and those of the example are not.
    for (const name of ['web', 'job']) {
      await ok('crane', ['validate', '--insecure', '--remote', `${host}/registry.example.com/hello/${name}:1.0.0`]);
    }
  });
});

describe('what "serve --print-config" prints', () => {
  const endpoint = z.string().refine((value) => value === serving.first, 'where it is served');
  const documented = {
    // docs.k3s.io, "Private Registry Configuration"
    k3s: z.strictObject({ mirrors: z.record(z.string(), z.strictObject({ endpoint: z.array(endpoint) })) }),
    // docs.docker.com, "Daemon configuration file"
    docker: z.strictObject({
      'registry-mirrors': z.array(endpoint).optional(),
      'insecure-registries': z.array(z.string()).optional(),
    }),
  };

  test.each(['k3s', 'docker'] as const)('for %s has the documented fields, and no others', async (runtime) => {
    const args = ['serve', 'a.iso', '--listen', host, '--print-config', runtime];
    const config = parse(await succeeds(args, { cwd }));
    expect(documented[runtime].safeParse(config).error).toBeUndefined();
    if (runtime === 'k3s') expect(Object.keys(config.mirrors)).toEqual(['registry.example.com']);
  });
});
