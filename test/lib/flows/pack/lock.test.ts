import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseLock } from '../../../../formats/solution/lock.ts';
import type { NamedSource } from '../../../../lib/kernel/content/model.ts';
import { solpack } from '../../../support/cli.ts';
import { packHere } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { find, judged, ok, scratch } from '../../../support/judges.ts';
import { connectPlainly, writeDefinition } from '../../../support/packing.ts';
import { dockerRegistry } from '../../../support/registry.ts';

const folder = scratch('locks');
const registry = dockerRegistry(folder);
const judges = ['docker-registry', 'skopeo'] as const;
const names = ['a', 'b'] as const;
let host: string;

/** Lets the tag v1 of both repositories stand for an image of `seed`. */
async function publish(seed: string): Promise<void> {
  for (const name of names) {
    const image = buildImage({ seed: `${name} ${seed}` });
    await writeLayout(join(folder, `${name}-${seed}`), [{ name: 'v1', image }]);
    const to = ['--dest-tls-verify=false', `docker://${host}/team/${name}:v1`];
    await ok('skopeo', ['--insecure-policy', 'copy', '--all', `oci:${folder}/${name}-${seed}:v1`, ...to]);
  }
}

const reference = (name: string): string => `registry.example.com/team/${name}:v1`;
const define = (at: string, wanted: readonly string[] = names): string =>
  writeDefinition(
    join(folder, at),
    wanted.map((name) => ({ reference: reference(name), source: `docker://${host}/team/${name}:v1` })),
  );
const locked = (at: string) =>
  parseLock(readFileSync(join(folder, at, 'solution.lock'))).images.map(({ digest }) => digest);
const digestOf = (name: string, seed: string) => buildImage({ seed: `${name} ${seed}` }).index.digest;

beforeAll(async () => {
  if (judges.some((judge) => find(judge) === undefined)) return;
  ({ host } = await registry());
});

describe('a tag that has moved', () => {
  judged(
    'counts for nothing where the lock names a digest, until the lock is renewed: all, or one image',
    judges,
    async () => {
      await publish('one');
      const definition = define('moved');
      const pack = (more: object) =>
        packHere(definition, join(folder, 'moved.tar'), { connect: connectPlainly, ...more });
      const first = await pack({});
      await publish('two');
      expect((await pack({})).root).toBe(first.root);
      await pack({ lock: { update: reference('b') } });
      expect(locked('moved')).toEqual([digestOf('a', 'one'), digestOf('b', 'two')]);
      await pack({ lock: 'update' });
      expect(locked('moved')).toEqual([digestOf('a', 'two'), digestOf('b', 'two')]);
    },
  );

  judged('is not even asked for with --locked', judges, async () => {
    await publish('three');
    const definition = define('asked');
    await packHere(definition, join(folder, 'asked.tar'), { connect: connectPlainly });
    const asked: string[] = [];
    const connect = async (wanted: Parameters<typeof connectPlainly>[0]): Promise<NamedSource> => {
      const source = await connectPlainly(wanted);
      return {
        ...source,
        resolve: (name, signal) => {
          asked.push(name);
          return source.resolve(name, signal);
        },
        referrers: async () => {
          asked.push('referrers');
          return [];
        },
      };
    };
    await packHere(definition, join(folder, 'asked.tar'), { connect, lock: 'locked' });
    expect(asked.toSorted()).toEqual(names.map((name) => digestOf(name, 'three')).toSorted());
  });
});

describe('pack --locked', () => {
  const refuses = async (definition: string, message: RegExp): Promise<void> => {
    const connect = () => Promise.reject(new Error('no source may be opened'));
    const packing = packHere(definition, join(folder, 'no.tar'), { connect, lock: 'locked' });
    await expect(packing).rejects.toMatchObject({ code: 'lock-mismatch', message: expect.stringMatching(message) });
  };

  judged('opens no source where the lock lacks an image, or names it in another way', judges, async () => {
    await publish('four');
    await packHere(define('partly', ['a']), join(folder, 'partly.tar'), { connect: connectPlainly });
    await refuses(define('partly'), /does not name it with source/);
    const source = `docker://${host}/team/a:v1`;
    const more = ['platforms = ["linux/amd64"]'];
    await refuses(
      writeDefinition(join(folder, 'partly'), [{ reference: reference('a'), source, more }]),
      /other platforms/,
    );
    await refuses(
      writeDefinition(join(folder, 'unlocked'), [{ reference: reference('a'), source }]),
      /does not name it/,
    );
  });

  judged('tells that a registry no longer holds what the lock names', judges, async () => {
    await publish('five');
    await packHere(define('gone', ['a']), join(folder, 'gone.tar'), { connect: connectPlainly });
    const connect = async (wanted: Parameters<typeof connectPlainly>[0]): Promise<NamedSource> => ({
      ...(await connectPlainly(wanted)),
      resolve: async () => undefined,
    });
    const packing = packHere(define('gone', ['a']), join(folder, 'gone.tar'), { connect, lock: 'locked' });
    await expect(packing).rejects.toMatchObject({ code: 'lock-mismatch', hint: expect.stringContaining('--update') });
  });
});

describe('pack --update', () => {
  test('takes a reference of the definition, and what is a path for the definition', async () => {
    await writeLayout(join(folder, 'cli/in'), [{ name: 'v1', image: buildImage({ seed: 'cli' }) }]);
    writeDefinition(join(folder, 'cli'), [{ reference: reference('a'), source: 'oci:in:v1' }]);
    const pack = (...args: string[]) => solpack(['pack', '-o', 'out.tar', ...args], { cwd: folder });
    expect(await pack('--update', 'cli')).toMatchObject({ code: 0 });
    expect(await pack('cli', '--update', reference('a'))).toMatchObject({ code: 0 });
    expect(await pack('cli', '--update')).toMatchObject({ code: 0 });
    const unknown = await pack('cli', '--update', reference('z'));
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining(`name one of ${reference('a')}`) });
    expect(await pack('cli', '--update=UPPER:CASE:1')).toMatchObject({ code: 2 });
  });
});
