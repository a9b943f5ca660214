import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { find, type Judge, judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry, referrersRegistry } from '../support/registry.ts';
import { s3Store } from '../support/s3.ts';
import { startZot } from '../support/zot.ts';

const folder = scratch('push-targets');
const cwd = folder;
const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const two = dockerRegistry(folder);
const three = dockerRegistry(folder, { program: 'registry' });
const s3 = s3Store(folder);
const redirecting = dockerRegistry(folder, { program: 'registry', s3 });
const passing = dockerRegistry(folder, { program: 'registry', s3: s3Store(folder), redirects: false });

/** A registry to push to. */
interface Target {
  readonly title: string;
  readonly needs: readonly Judge[];
  /**
   * Whether it lists referrers by itself (distribution-spec "Listing Referrers"), and takes an index without its
   * children.
   */
  readonly lists: boolean;
  readonly sparse: boolean;
  use(work: (host: string) => Promise<void>): Promise<void>;
}

/** A referrer as oras tells it. */
interface Listed {
  readonly artifactType: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const targets: readonly Target[] = [
  {
    title: 'docker-registry 2',
    needs: ['docker-registry'],
    lists: false,
    sparse: false,
    use: async (work) => work((await two()).host),
  },
  {
    title: 'Distribution 3',
    needs: ['registry'],
    lists: false,
    sparse: false,
    use: async (work) => work((await three()).host),
  },
  {
    title: 'Distribution 3 on an S3 store, which readers are sent to',
    needs: ['registry', 'versitygw'],
    lists: false,
    sparse: false,
    use: async (work) => work((await redirecting()).host),
  },
  {
    title: 'Distribution 3 that reads the S3 store itself',
    needs: ['registry', 'versitygw'],
    lists: false,
    sparse: false,
    use: async (work) => work((await passing()).host),
  },
  {
    title: 'a registry that lists referrers',
    needs: ['referrers-registry'],
    lists: true,
    sparse: true,
    use: async (work) => {
      await using serving = await referrersRegistry();
      await work(new URL(serving.first).host);
    },
  },
  {
    title: 'solpack serve --store',
    needs: [],
    lists: true,
    sparse: true,
    use: async (work) => {
      await using serving = await starts(['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'], {
        cwd,
      });
      await work(new URL(serving.first).host);
    },
  },
  // No package carries zot: it is among them where it is on PATH.
  ...(find('zot') === undefined
    ? []
    : [
        { title: 'zot', needs: [], lists: true, sparse: false, use: (work) => startZot(folder, work) } satisfies Target,
      ]),
];

beforeAll(async () => {
  await smallSolution(folder);
  const definition = readFileSync(join(folder, 'solution.toml'), 'utf8');
  for (const select of ['sparse', 'index']) {
    const less = definition.replace('[[images]]\n', `[[images]]\nplatforms = ["linux/amd64"]\nselect = "${select}"\n`);
    writeFileSync(join(folder, `${select}.toml`), less);
    await succeeds(['pack', `${select}.toml`, '-o', `${select}.tar`], { cwd });
  }
  await succeeds(['keygen', '-o', 'a'], { cwd });
  await succeeds(['keygen', '-o', 'b'], { cwd });
  await succeeds(['pack', '.', '-o', 'hello.iso', '--sign', 'a.key'], { cwd });
  await succeeds(['sign', 'hello.iso', '--private-key', 'b.key'], { cwd });
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  writeFileSync(join(folder, 'solutions.yaml'), `${head}archives: [hello.iso]\nactive: {hello: latest}\n`);
});

/** Runs solpack and reads what it tells. */
async function told<T>(...args: string[]): Promise<T> {
  return JSON.parse(await succeeds([...args, '--json', '-q'], { cwd }));
}

describe.each(targets)('$title', ({ needs, use, lists, sparse }) => {
  const lister = `lists the signatures ${lists ? 'without' : 'by'} a fallback tag`;
  judged(`gives back and serves what was pushed, is sent nothing twice, and ${lister}`, [...needs, 'oras'], () =>
    use(async (host) => {
      const reference = `${host}/round/hello:1.0.0`;
      const { moved, root } = await told<{ moved: number; root: string }>('push', 'hello.iso', reference);
      expect(await told('push', 'hello.iso', reference)).toMatchObject({ moved: 0, present: moved, signatures: 2 });
      const output = `${host.replace(':', '-')}.iso`;
      expect(await told('pull', reference, '-o', output)).toMatchObject({ signatures: 2 });
      expect(readFileSync(join(folder, output)).equals(readFileSync(join(folder, 'hello.iso')))).toBe(true);
      const tags = (await ok('oras', ['repo', 'tags', '--plain-http', `${host}/round/hello`])).trim().split('\n');
      expect(tags.sort()).toEqual(['1.0.0', ...(lists ? [] : [root.replace(':', '-')])]);
      const found = JSON.parse(await ok('oras', ['discover', '--plain-http', '--format', 'json', reference]));
      const listed: Listed[] = found.referrers ?? found.manifests;
      const signatures = listed.filter(
        ({ annotations }) => annotations?.['dev.sigstore.bundle.content'] !== 'dsse-envelope',
      );
      expect(signatures.map(({ artifactType }) => artifactType)).toEqual([bundleType, bundleType]);
      await using serving = await starts(['serve', reference, '--key', 'a.pub', '--listen', '127.0.0.1:0'], { cwd });
      const served = `${new URL(serving.first).host}/hello/web:1.0.0`;
      await ok('oras', ['copy', '--from-plain-http', served, '--to-oci-layout', join(folder, `served-${output}:web`)]);
    }),
  );

  judged('has every image after install --registry, and is sent nothing twice', [...needs, 'skopeo'], () =>
    use(async (host) => {
      const install = ['install', '-f', 'solutions.yaml', '--key', 'a.pub', '--trust-state', `trust-${host}`];
      const args = [...install, '--images-only', '--registry', `http://${host}/edge`];
      const first = await told<{ moved: number; present: number; images: { target: string }[] }>(...args);
      expect(first.images).toHaveLength(2);
      for (const { target } of first.images) {
        const name = `docker://${target.replace(/:[^:/@]+@/, '@')}`;
        await ok('skopeo', ['copy', '-q', '--all', '--src-tls-verify=false', name, `dir:${join(folder, 'installed')}`]);
      }
      expect(await told(...args)).toMatchObject({ moved: 0, present: first.moved + first.present });
    }),
  );

  judged(
    `${sparse ? 'takes' : 'refuses'} an index that lacks platforms, and takes a new index of the others`,
    needs,
    () =>
      use(async (host) => {
        const outcome = await solpack(['push', 'sparse.tar', `${host}/sparse/hello`, '-q'], { cwd });
        if (sparse) expect(outcome).toMatchObject({ code: 0 });
        else
          expect(outcome).toMatchObject({ code: 4, stderr: expect.stringContaining('pack it with select = "index"') });
        await succeeds(['push', 'index.tar', `${host}/index/hello`], { cwd });
      }),
  );
});
