import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../formats/oci/manifest.ts';
import { solutionAnnotations, solutionTypes } from '../../formats/solution/metadata.ts';
import { type Measured, measured } from '../support/measured.ts';
import { sampled } from '../support/sample.ts';
import { Crowd, filled } from './crowd.ts';
import { codeOf, expectPlain, type Format, formats, installArgs, setStage, verdictIn } from './stage.ts';
import { rowOf } from './table.ts';

// A few kilobytes, compressed, that stand for gigabytes of objects or hours of work. Nobody has to trust them for that.

const stage = setStage('more');
const options = { cwd: stage.folder };
const PATIENCE = 600_000;

/** What a command may take, whatever it is given. */
const most = { peak: 256 * 2 ** 20, cpu: 5 };

/** That a run stayed within its bounds, and ended with a line and a code where it did not end well. */
function expectBounded(what: string, outcome: Measured): void {
  expectPlain(outcome);
  expect(
    [what, outcome.peak <= most.peak, outcome.cpu <= most.cpu],
    JSON.stringify([outcome.peak, outcome.cpu]),
  ).toEqual([what, true, true]);
  expect([0, 1, 2, 3], `${what}: ${outcome.stderr}`).toContain(outcome.code);
  if (outcome.stderr.includes('solpack: '))
    codeOf({ ...outcome, stderr: outcome.stderr.slice(outcome.stderr.indexOf('solpack: ')) });
}

/** Every other command that reads an archive; they are all read whole. */
function others(archive: string): string[][] {
  return [
    ['inspect', archive],
    ['ls', archive],
    ['extract', archive, 'manifest.yaml', '-C', 'out'],
    ['sign', archive, '--private-key', 'security.key'],
    ['unsign', archive],
    ['serve', archive, '--print-config', 'containerd'],
    ['push', archive, '127.0.0.1:1/nowhere/hello'],
    ['pack', 'taken', '-o', 'never.iso'],
  ];
}

/** An attack by an archive with more in it than it is: `fill` makes what the root names. */
function crowd(name: string, fill: (crowd: Crowd) => void, on: readonly Format[] = formats): void {
  const { codes, exit } = rowOf(name);
  test(
    `${name}: ${codes.join(', ')}, exit status ${exit}`,
    async () => {
      for (const format of on) {
        const archive = `attack.${format}`;
        const made = new Crowd();
        fill(made);
        writeFileSync(join(stage.folder, archive), made.archive(format));
        const verified = await measured(['verify', archive, '--json', '--quiet'], options);
        expectBounded(`verify ${archive}`, verified);
        expect(verdictIn(verified)).toEqual({ codes: expect.arrayContaining([...codes]), exit });
        if (format === 'tar') await expectBoundedElsewhere(archive);
      }
    },
    PATIENCE,
  );
}

async function expectBoundedElsewhere(archive: string): Promise<void> {
  const taken = join(stage.folder, 'taken');
  mkdirSync(taken, { recursive: true });
  const image = 'reference = "registry.example.com/crowd/app-0:1.0.0"';
  const source = `solpack:../${archive}:registry.example.com/crowd/app-0:1.0.0`;
  writeFileSync(
    join(taken, 'solution.toml'),
    `name = "taken"\nversion = "1.0.0"\n[[images]]\n${image}\nsource = "${source}"\n`,
  );
  for (const args of [installArgs(stage, archive, '--key', 'release.pub'), ...sampled(others(archive), 1)]) {
    expectBounded(args.join(' '), await measured([...args, '--quiet'], options));
  }
  rmSync(join(stage.folder, 'out'), { recursive: true, force: true });
}

const emptyLayers = '"layers":[]';
const million = (field: string): string => filled(`${emptyLayers},"${field}":[`, () => '{}', ']');

crowd('a manifest with a million values in an unknown field, under a hundred names', (made) => {
  const manifest = made.manifest(filled('"layers":[{"x":[', () => '{}', ']}]'));
  for (let times = 0; times < 100; times += 1) made.image(manifest);
});

crowd(
  'sixty manifests with a million values each',
  (made) => {
    for (let number = 0; number < 60; number += 1) made.image(made.manifest(million(`x${number}`)));
  },
  ['tar'],
);

crowd('a manifest with a hundred thousand layers that are none', (made) => {
  made.image(made.manifest(`"layers":[${'0,'.repeat(100_000)}0]`));
});

crowd('a manifest with a million annotations', (made) => {
  made.image(made.manifest(filled(`${emptyLayers},"annotations":{`, (number) => `"${number.toString(36)}":""`, '}')));
});

crowd('a manifest with lists nested a million deep', (made) => {
  made.image(made.manifest(`${emptyLayers},"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`));
});

crowd('a config with a million lines of history, under a hundred names', (made) => {
  const config = made.config(
    filled('{"os":"linux","architecture":"amd64","history":[', () => '{}', ']}', 15 * 2 ** 20),
  );
  const manifest = made.manifest(emptyLayers, config);
  for (let times = 0; times < 100; times += 1) made.image(manifest);
});

crowd(
  'manifests that would take more memory than a Solution may',
  (made) => {
    const layer = (number: number): string =>
      `{"mediaType":"${mediaTypes.layerGzip}","digest":"sha256:${number.toString(16).padStart(64, '0')}","size":0}`;
    for (let number = 0; number < 8; number += 1) {
      made.image(made.manifest(filled('"layers":[', (unit) => layer(number * 1_000_000 + unit), ']')));
    }
  },
  ['tar'],
);

crowd(
  'thousands of names for an image with thousands of referrers',
  (made) => {
    const image = made.manifest(emptyLayers);
    for (let times = 0; times < 2000; times += 1) made.image(image);
    let subject = image;
    const chain: Descriptor[] = [];
    for (let length = 0; length < 2000; length += 1) {
      const about = JSON.stringify({ mediaType: subject.mediaType, digest: subject.digest, size: subject.size });
      const referrer = made.manifest(`${emptyLayers},"subject":${about}`);
      chain.push({ ...referrer, annotations: { [solutionAnnotations.subject]: subject.digest } });
      subject = referrer;
    }
    for (const entry of chain.reverse()) made.entry(entry);
  },
  ['tar'],
);

crowd('indexes that share their children, so that there are a million ways to each', (made) => {
  let level = [made.manifest(emptyLayers)];
  for (let depth = 0; depth < 7; depth += 1) {
    const children = level;
    level = Array.from({ length: 200 }, (_, number) =>
      made.blob(mediaTypes.index, encodeIndex({ manifests: children, annotations: { at: `${depth} ${number}` } })),
    );
  }
  for (const index of level) made.image(index);
});

crowd('layers by the ten thousand that are not there', (made) => {
  const layer = (number: number): string =>
    `{"mediaType":"${mediaTypes.layerGzip}","digest":"sha256:${number.toString(16).padStart(64, '0')}","size":0}`;
  made.image(made.manifest(filled('"layers":[', layer, ']')));
});

crowd('a path with a million folders', (made) => {
  const file = made.blob(solutionTypes.file, 'a');
  made.layer({ ...file, annotations: { 'org.opencontainers.image.title': `components/${'a/'.repeat(1_000_000)}a` } });
});

crowd(
  'predicates of nothing but empty objects',
  (made) => {
    for (let number = 0; number < 4; number += 1) {
      const name = `p${number}`;
      const predicate = made.blob(
        solutionTypes.predicate,
        filled(`{"${name}":[`, () => '{}', ']}', 8 * 2 ** 20),
      );
      made.layer({
        ...predicate,
        annotations: {
          'org.opencontainers.image.title': `.solpack/attestations/${name}.json`,
          [solutionAnnotations.predicateType]: 'https://cyclonedx.org/bom',
          [solutionAnnotations.attestationSlot]: `${16 * 2 ** 20}`,
        },
      });
    }
  },
  ['tar'],
);

const NINETY = 92;

/** A configuration of archives that nobody has signed: each of them excludes all others, in hundreds of ways. */
function writeExcluding(): void {
  const names = Array.from({ length: 300 }, (_, number) => `capability-${number}`);
  const conflicts = Object.fromEntries(names.map((name) => [name, '*']));
  const provides = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const archives = Array.from({ length: NINETY }, (_, number) => `excluding-${number}.tar`);
  for (const [number, archive] of archives.entries()) {
    const made = new Crowd(`s${number}`, { conflicts, provides });
    writeFileSync(join(stage.folder, archive), made.archive('tar'));
  }
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  const text = `${head}archives: [good.iso, ${archives.join(', ')}]\nactive: {ACTIVE: latest}\n`;
  writeFileSync(join(stage.folder, 'signed.yaml'), text.replace('ACTIVE', 'hello'));
  writeFileSync(join(stage.folder, 'unsigned.yaml'), text.replace('ACTIVE', 's0'));
}

test(
  'archives by the ninety that exclude each other',
  async () => {
    writeExcluding();
    const install = (file: string): string[] => ['install', '-f', file, '--render', 'out', '--trust-state', 'state'];
    for (const [name, args] of [
      ['archives by the ninety that exclude each other, to be installed', install('unsigned.yaml')],
      ['archives by the ninety that exclude each other, to be resolved', ['resolve', '-f', 'unsigned.yaml']],
    ] as const) {
      const trust = args[0] === 'install' ? ['--key', 'release.pub'] : [];
      const outcome = await measured([...args, ...trust, '--quiet'], options);
      expectBounded(name, outcome);
      const { codes, exit } = rowOf(name);
      expect([name, outcome.code]).toEqual([name, exit]);
      if (args[0] === 'install') expect([codeOf(outcome)]).toEqual(codes);
    }
    // Beside what is signed they are left out, and the install goes on.
    const beside = await measured([...install('signed.yaml'), '--key', 'release.pub'], options);
    expectBounded('beside', beside);
    expect([beside.code, beside.stderr]).toEqual([
      0,
      expect.stringMatching(/note: archives: nobody who is trusted has signed \S+, \S+, \S+ and 89 more: left out\n/),
    ]);
    rmSync(join(stage.folder, 'out'), { recursive: true });
  },
  PATIENCE,
);

/** A registry that has a Solution under every name and tag, and nothing else. */
async function hostile(made: Crowd): Promise<Server> {
  const root = made.root();
  const server = createServer((request, response) => {
    const [, digest] = /(sha256:[0-9a-f]{64})$/.exec(request.url!) ?? [];
    const isRoot = /\/manifests\/[0-9.]+$/.test(request.url!);
    const bytes = isRoot ? root.bytes : made.blobs.get(digest ?? '');
    if (request.url === '/v2/' || !bytes) return response.writeHead(request.url === '/v2/' ? 200 : 404).end();
    const isIndex = isRoot || digest === root.digest;
    const type = isIndex ? mediaTypes.index : mediaTypes.manifest;
    const isManifest = request.url!.includes('/manifests/');
    response.writeHead(200, {
      'content-type': isManifest ? type : 'application/octet-stream',
      'content-length': bytes.length,
    });
    return response.end(request.method === 'HEAD' ? undefined : bytes);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

test(
  'a registry that sends such manifests',
  async () => {
    const { codes, exit } = rowOf('a registry that sends such manifests');
    const made = new Crowd();
    for (let number = 0; number < 10; number += 1) {
      const manifest = made.manifest(million(`x${number}`));
      for (let times = 0; times < 10; times += 1) made.image(manifest);
    }
    const server = await hostile(made);
    const reference = `127.0.0.1:${(server.address() as AddressInfo).port}/x/hello:1.0.0`;
    try {
      for (const args of [
        ['pull', reference, '-o', 'pulled.iso'],
        ['inspect', reference],
      ]) {
        const outcome = await measured([...args, '--quiet'], options);
        expectBounded(args[0]!, outcome);
        expect([args[0], outcome.code, [codeOf(outcome)]]).toEqual([args[0], exit, codes]);
      }
    } finally {
      server.close();
    }
  },
  PATIENCE,
);
