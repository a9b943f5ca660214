import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { type Executions, executionsOf, type Found } from '../../scripts/fuzz/executions.ts';
import { faultOf } from '../../scripts/fuzz/faults.ts';
import { readImage, readings } from '../../scripts/fuzz/reader.ts';
import type { Sample } from '../../scripts/fuzz/sample.ts';
import { targets } from '../../scripts/fuzz/targets/index.ts';
import { imageSamples } from '../../scripts/fuzz/targets/reader.ts';

// A slice of `npm run fuzz`, of one seed: the same damage each time.

const SEED = 9660;

/** How many executions a target has here; those whose executions are cheap have more. */
const counts: Readonly<Record<string, number>> = { reader: 3000, verify: 800, archives: 60, layers: 150 };
const USUAL = 300;

/** Codes that damage has to bring about, or it does not reach what it is meant for. */
const reached: Readonly<Record<string, readonly string[]>> = {
  reader: [
    'read',
    'iso9660-byte-order',
    'iso9660-continuation',
    'iso9660-descriptor',
    'iso9660-directory-loop',
    'iso9660-extent',
    'iso9660-limit',
    'iso9660-name',
    'iso9660-overlap',
    'iso9660-record',
    'iso9660-rock-ridge',
    'iso9660-unsupported',
  ],
  verify: ['ok', 'findings', 'archive-invalid', 'iso9660-descriptor', 'tar-header', 'tar-path', 'truncated'],
  patches: ['read', 'patch-invalid'],
  deltas: ['ok', 'findings', 'archive-invalid', 'tar-header'],
  archives: ['read', 'archive-damaged'],
  tar: ['read', 'tar-header', 'tar-path', 'tar-unsupported', 'truncated', 'layer-invalid'],
  streams: ['read', 'layer-invalid'],
  layers: ['read', 'not read'],
  packages: ['read', 'packages-invalid'],
  charts: ['read', 'chart-invalid'],
  'docker-archives': ['read', 'docker-archive-invalid', 'tar-header', 'tar-path'],
  oci: ['read', 'manifest-invalid', 'oci-layout-invalid', 'solution-invalid', 'json-invalid'],
  names: ['read', 'reference-invalid', 'challenge-invalid', 'duration-invalid', 'refused'],
  toml: ['read', 'toml-invalid', 'policy-invalid', 'mend-invalid'],
  yaml: ['read', 'yaml-invalid', 'manifest-document-invalid'],
  credentials: ['read', 'htpasswd-invalid', 'kubeconfig-invalid', 'credentials-invalid'],
  attestations: ['read', 'bundle-invalid', 'attestation-invalid'],
  keys: ['read', 'key-invalid', 'policy-invalid'],
  answers: ['read', 'registry-error'],
  cluster: ['read', 'none', 'cluster-error'],
  'cluster-documents': ['read', 'usage-invalid', 'yaml-invalid'],
  pushes: ['read', '400', '404'],
  remembered: ['read', 'none', 'not-trusted', 'selection-invalid'],
  repositories: ['read', 'chart-index-invalid'],
  schemas: ['read', 'schema-invalid'],
  blanking: ['read'],
  bundles: ['read', 'operator-bundle-invalid', 'manifest-document-invalid', 'yaml-invalid'],
  catalogs: ['read', 'catalog-invalid', 'none'],
  relations: ['read', 'toml-invalid'],
  cel: ['read', 'cel-invalid'],
  media: ['read', 'yaml-invalid', 'manifest-document-invalid', 'solution-invalid'],
};

describe.each(targets.map(({ name }) => name))('what the fuzzer feeds to %s', (name) => {
  let executions: Executions;

  beforeAll(async () => {
    executions = await executionsOf([name]);
  });

  test('ends in a verdict or in an error with a code, and reaches every kind of both', async () => {
    const faults: Found[] = [];
    const seen = new Set<string>();
    for (let execution = 0; execution < (counts[name] ?? USUAL); execution += 1) {
      const end = await executions.run(SEED, execution);
      if ('why' in end) faults.push(end);
      else seen.add(end.outcome);
    }
    expect(faults.map(({ sample, why }) => `${sample}: ${why}`)).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining([...(reached[name] ?? ['a line above'])]));
  });

  test('is the same for the same seed and number, and leaves the samples as they were', async () => {
    const samples = (): string[] => executions.feeds.flatMap((feed) => feed.samples.map(({ bytes }) => sha256(bytes)));
    const before = samples();
    const inputs = (seed: number) =>
      Array.from({ length: 20 }, (_, number) => sha256(executions.input(seed, number).bytes));
    expect(inputs(1)).toEqual(inputs(1));
    expect(inputs(1)).not.toEqual(inputs(2));
    await executions.run(SEED, 1);
    expect(samples()).toEqual(before);
  });
});

describe('the samples that the fuzzer begins with', () => {
  const own = targets.filter(({ name }) => !['reader', 'verify', 'deltas'].includes(name));

  test.each(own.map(({ name }) => name))('of %s are sound', async (name) => {
    const [feed] = (await executionsOf([name])).feeds;
    for (const { name: sample, bytes, one } of feed!.samples) {
      expect([sample, await faultOf(one, Buffer.from(bytes))]).toEqual([sample, 'read']);
    }
  });
});

describe('the images that the fuzzer begins with', () => {
  const samples = imageSamples();
  const images = samples.map((sample): [string, Sample] => [sample.name, sample]);

  test.each(images)('%s: is sound, but for what the reader refuses whoever wrote it', async (name, { canvas }) => {
    const outcomes = await Promise.all(readings.map((options) => readImage(canvas.original, options)));
    const absent = 'iso9660-unsupported';
    expect(new Set(outcomes.filter((code) => code !== undefined && code !== absent))).toEqual(new Set());
    if (!name.includes('zisofs')) expect(outcomes.at(-1)).toBeUndefined();
    expect(outcomes[2]).toBeUndefined();
  });

  test('have all their structures known', () => {
    const kinds = new Set(
      samples.flatMap(({ fields }) => Object.keys(fields).filter((key) => fields[key]!.length > 0)),
    );
    expect([...kinds].sort()).toEqual(Object.keys(samples[0]!.fields).sort());
  });
});
