import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { solpack, starts, succeeds } from '../support/cli.ts';
import { type Judge, judged, ok, scratch } from '../support/judges.ts';
import { type MediumOptions, makeIso, makeMedium } from '../support/metalk8s.ts';
import { nginx } from '../support/nginx.ts';
import { selfSigned } from '../support/registry.ts';

const folder = scratch('metalk8s');
const cwd = folder;
const file = (name: string): string => join(folder, name);
const builders: readonly Judge[] = ['skopeo', 'genisoimage'];
const registry = 'metalk8s-registry-from-config.invalid';
const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const served = nginx(folder, async () => {
  await selfSigned(file('server.key'), file('server.pem'), ['-subj', '/CN=files']);
  return { certificate: file('server.pem'), key: file('server.key'), locations: '' };
});
const made = new Map<string, Promise<string>>();

/** A medium with these options, which is made once. */
function medium(name: string, options: MediumOptions = {}): Promise<string> {
  const known = made.get(name) ?? makeMedium(file(name), file(`${name}.iso`), options).then(() => `${name}.iso`);
  made.set(name, known);
  return known;
}

const usual: MediumOptions = { images: ['server:1.0.0', 'server:1.1.0'] };

interface Found {
  root: string;
  name: string;
  version: string;
  carrier: string;
  components: { name: string; namespace?: string }[];
  images: { reference: string; digest: string }[];
  medium: { era: string; faults: { path: string; message: string }[]; unused: string[]; unproved: string[] };
}

const inspected = async (name: string): Promise<Found> =>
  JSON.parse(await succeeds(['inspect', name, '--json'], { cwd }));

async function verified(name: string, ...more: string[]) {
  const { code, stdout } = await solpack(['verify', name, '--json', ...more], { cwd });
  const { findings, medium: about, signers } = JSON.parse(stdout);
  return { code, codes: findings.map((one: { code: string }) => one.code), findings, about, signers };
}

describe('a medium that was built for MetalK8s', () => {
  for (const era of ['manifest', 'product'] as const) {
    judged(`of the ${era} era is inspected for what it is`, builders, async () => {
      const found = await inspected(await medium(era, { ...usual, era }));
      expect(found).toMatchObject({ name: 'clock', version: '1.0.0', carrier: 'iso', medium: { era, faults: [] } });
      expect(found.images.map(({ reference }) => reference)).toEqual([
        `${registry}/clock-1.0.0/clock-operator:1.0.0`,
        `${registry}/clock-1.0.0/server:1.0.0`,
        `${registry}/clock-1.0.0/server:1.1.0`,
      ]);
      expect(found.components).toMatchObject([{ name: 'crds' }, { name: 'operator', namespace: 'clock' }]);
      expect(found.medium.unused).toEqual(['operator/deploy/crds/example_v1alpha1_clock_cr.yaml']);
      const text = await succeeds(['inspect', `${era}.iso`], { cwd });
      expect(text).toContain(`a medium for MetalK8s, by its ${era === 'manifest' ? 'manifest.yaml' : 'product.txt'}`);
    });
  }

  judged('has the same root whichever program has written it', [...builders, 'xorriso'], async () => {
    const { root } = await inspected(await medium('manifest', usual));
    await makeIso(file('manifest/root'), file('xorriso.iso'), 'xorriso');
    expect((await inspected('xorriso.iso')).root).toBe(root);
    expect((await verified('xorriso.iso')).codes).toEqual(['unproved']);
  });

  judged('is read where it lies on a server', [...builders, 'nginx'], async () => {
    const path = await medium('manifest', usual);
    const { url } = await served();
    const { root, medium: about } = await inspected(`${url}/${path}`);
    expect([root, about.era]).toEqual([(await inspected(path)).root, 'manifest']);
    expect((await verified(`${url}/${path}`)).codes).toEqual(['unproved']);
  });

  judged('is verified for what it allows, and no more', builders, async () => {
    copyFileSync(file(await medium('manifest', usual)), file('plain.iso'));
    const alone = await verified('plain.iso');
    expect([alone.code, alone.codes]).toEqual([1, ['unproved']]);
    expect(alone.about.unproved).toContain('operator/deploy/role.yaml');
    expect(alone.about.unproved).toContain('images/server/1.0.0/manifest.json');
    writeFileSync(file('plain.iso.sha256'), await ok('sha256sum', ['plain.iso'], { cwd }));
    const summed = await verified('plain.iso');
    expect([summed.code, summed.about.unproved, summed.about.checksum.path]).toEqual([0, [], file('plain.iso.sha256')]);
    // A checksum tells nothing of who made it.
    await succeeds(['keygen', '-o', 'other'], { cwd });
    const asked = await verified('plain.iso', '--key', 'other.pub');
    expect([asked.code, asked.codes]).toEqual([3, ['signature-untrusted']]);
    writeFileSync(file('plain.iso.sha256'), `${'0'.repeat(64)}  plain.iso\n`);
    expect((await verified('plain.iso')).codes).toEqual(['checksum-mismatch', 'unproved']);
  });

  judged('is found to be damaged wherever a digest tells', builders, async () => {
    const path = await medium('manifest', usual);
    const { images } = await inspected(path);
    const layers = JSON.parse(readFileSync(file('manifest/root/images/server/1.0.0/manifest.json'), 'utf8')).layers;
    const bytes = readFileSync(file(path));
    const layer = readFileSync(file(`manifest/root/images/server/1.0.0/${layers[1].digest.slice(7)}`));
    bytes[bytes.indexOf(layer) + 20]! ^= 1;
    writeFileSync(file('damaged.iso'), bytes);
    const { code, codes, findings } = await verified('damaged.iso');
    expect([code, codes]).toEqual([1, ['blob-mismatch', 'unproved']]);
    expect(findings[0].subject).toMatch(new RegExp(`^images/[^/]+/1.[01].0/${layers[1].digest.slice(7)}$`));
    expect((await inspected('damaged.iso')).images).toEqual(images);
  });

  judged('tells which images are not there, or are none', builders, async () => {
    const options = {
      images: ['server:1.0.0'],
      files: {
        'images/stray/readme.txt': 'no image',
        'images/empty/1.0.0/version': 'Directory Transport Version: 1.1\n',
        'images/old/1.0.0/manifest.json': '{"schemaVersion": 1}',
        'manifest.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: Solution
metadata: {name: clock}
spec: {version: 1.0.0, images: ["server:1.0.0", "gone:2.0.0"], operator: {image: {name: away, tag: 1.0.0}}}
`,
      },
    };
    const path = await medium('faulty', options);
    const { medium: about } = await inspected(path);
    expect(about.faults.map((fault) => fault.path)).toEqual([
      'images/empty/1.0.0',
      'images/old/1.0.0',
      'images/gone/2.0.0',
      'images/away/1.0.0',
    ]);
    const { codes } = await verified(path);
    expect(codes).toEqual([...Array(4).fill('image-unusable'), 'unproved']);
  });

  for (const [what, files, said] of [
    [
      'a version without quotes',
      { 'manifest.yaml': 'spec: {version: 1.0}\nmetadata: {name: a}\n' },
      'of the kind null',
    ],
    ['a number for a version', 'spec: {version: 1.0}\nmetadata: {name: a}', 'quotes are missing'],
    ['a version that is none', 'spec: {version: one}\nmetadata: {name: a}', 'no SemVer'],
    ['a name that is none', 'spec: {version: 1.0.0}\nmetadata: {name: Clock Works}', 'no RFC 1123 label'],
    ['no name', 'spec: {version: 1.0.0}', 'does not say both the name and the version'],
    [
      'a role that is none',
      { 'operator/deploy/role.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: node}\n' },
      'holds a Node',
    ],
    [
      'MetalK8s itself',
      { 'manifest.yaml': undefined, 'product.txt': 'NAME=MetalK8s\nVERSION=2.5.0\n' },
      'it is MetalK8s itself',
    ],
  ] as const) {
    judged(`is refused by name: ${what}`, builders, async () => {
      const name = what.replaceAll(' ', '-');
      const text = `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: Solution\n${files}\n`;
      const path = await medium(name, { files: typeof files === 'string' ? { 'manifest.yaml': text } : files });
      for (const command of ['inspect', 'verify']) {
        const { code, stderr } = await solpack([command, path], { cwd });
        expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
        expect(stderr).toContain('[archive-invalid]');
      }
    });
  }
});

describe('serve', () => {
  judged('hands out the images of a medium as they lie there', builders, async () => {
    const path = await medium('product', { ...usual, era: 'product' });
    await using serving = await starts(['serve', path, '--listen', '127.0.0.1:0'], { cwd });
    const host = serving.first.slice('http://'.length);
    for (const { reference, digest } of (await inspected(path)).images) {
      // MetalK8s' nodes ask for `/v2/<name>-<version>/<image>`.
      const name = `docker://${host}/${reference.slice(registry.length + 1)}`;
      const text = await ok('skopeo', ['inspect', '--tls-verify=false', name]);
      expect(JSON.parse(text).Digest).toBe(digest);
      const target = file(reference.replace(/\W/g, '-'));
      await ok('skopeo', ['--insecure-policy', 'copy', '-q', '--src-tls-verify=false', name, `dir:${target}`]);
      const [, image = '', tag = ''] = /([^/]+):(.+)$/.exec(reference)!;
      const folderThere = file(`product/root/images/${image}/${tag}`);
      expect(readdirSync(target)).toEqual(readdirSync(folderThere));
      expect(readFileSync(join(target, 'manifest.json'))).toEqual(readFileSync(join(folderThere, 'manifest.json')));
    }
  });

  judged('does the same from where a medium is mounted, and tells the same root', builders, async () => {
    const path = await medium('manifest', usual);
    const { root } = await inspected(path);
    const there = await inspected('manifest/root');
    expect([there.root, there.carrier]).toEqual([root, 'folder']);
    await using serving = await starts(['serve', 'manifest/root', '--listen', '127.0.0.1:0'], { cwd });
    const host = serving.first.slice('http://'.length);
    await ok('skopeo', ['inspect', '--tls-verify=false', `docker://${host}/clock-1.0.0/server:1.1.0`]);
  });
});

describe('push', () => {
  judged('makes an archive of a medium, with the root and the signature that it had before', builders, async () => {
    copyFileSync(file(await medium('manifest', usual)), file('moved.iso'));
    const { root } = await inspected('moved.iso');
    await succeeds(['keygen', '-o', 'mover'], { cwd });
    await succeeds(['sign', 'moved.iso', '--private-key', 'mover.key'], { cwd });
    const open = ['--store', 'store', '--open-push', '--listen', '127.0.0.1:0'];
    await using serving = await starts(['serve', ...open], { cwd });
    const there = `${serving.first.slice('http://'.length)}/solutions/clock:1.0.0`;
    await succeeds(['push', 'moved.iso', there, '--plain-http'], { cwd });
    await succeeds(['pull', there, '-o', 'archive.iso', '--plain-http'], { cwd });
    const archive = await inspected('archive.iso');
    expect([archive.root, archive.medium]).toEqual([root, undefined]);
    expect(await verified('archive.iso', '--key', 'mover.pub')).toMatchObject({ code: 0, codes: [] });
  });
});

describe('install', () => {
  async function install(name: string, ...more: string[]) {
    writeFileSync(file('solutions.yaml'), `${head}archives: [${name}]\nactive: {clock: latest}\n`);
    rmSync(file('out'), { recursive: true, force: true });
    const args = ['install', '-f', 'solutions.yaml', '--render', 'out', '--json', '--trust-state', 'state'];
    return solpack([...args, ...more], { cwd });
  }

  judged('refuses a medium that nobody has signed, unless somebody names its root', builders, async () => {
    const path = await medium('manifest', usual);
    await succeeds(['keygen', '-o', 'none'], { cwd });
    const { root } = await inspected(path);
    const refused = await install(path, '--key', 'none.pub');
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('it is not signed')]);
    const other = await install(
      path,
      '--key',
      'none.pub',
      '--allow-unsigned',
      root.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    );
    expect(other.code).toBe(3);
    const wrong = await install(path, '--key', 'none.pub', '--allow-unsigned', 'clock');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not a digest')]);
    const allowed = await install(path, '--key', 'none.pub', '--allow-unsigned', root);
    expect([allowed.code, allowed.stderr]).toEqual([0, expect.stringContaining('without a valid signature')]);
    expect(JSON.parse(allowed.stdout).solutions).toMatchObject([
      { name: 'clock', version: '1.0.0', root, signers: [] },
    ]);
    // The ConfigMap of the operator has the names that images have on the medium, which are no others.
    expect(allowed.stderr).not.toContain('seems to be used');
    const told = ['--render', 'out', '--trust-state', 'state', '--key', 'none.pub', '--allow-unsigned', root];
    const strict = await solpack(['install', '-f', 'solutions.yaml', '--strict', ...told], { cwd });
    expect([strict.code, strict.stdout]).toEqual([
      0,
      expect.stringMatching(/^ {2}signed +BY NOBODY: --allow-unsigned$/m),
    ]);
    const alone = await install(path, '--allow-unsigned', root);
    expect([alone.code, alone.stderr]).toEqual([0, expect.stringContaining('as --allow-unsigned')]);
    const neither = await install(path, '--allow-unsigned', root.replace(/.{8}$/, '00000000'));
    expect([neither.code, neither.stderr]).toEqual([3, expect.stringContaining('it is not signed')]);
    const skipped = await install(path, '--insecure-skip-verify');
    expect([skipped.code, skipped.stderr]).toEqual([0, expect.stringContaining('nothing vouches for the rest')]);
  });

  judged('holds to the bounds of a policy, whoever allows a medium without a signature', builders, async () => {
    const path = await medium('manifest', usual);
    await succeeds(['keygen', '-o', 'bound'], { cwd });
    const { root } = await inspected(path);
    const key = await ok('openssl', ['pkey', '-pubin', '-in', 'bound.pub', '-outform', 'DER', '-out', 'bound.der'], {
      cwd,
    });
    expect(key).toBe('');
    const id = (await ok('sha256sum', ['bound.der'], { cwd })).slice(0, 64);
    const keys = `version = 1\n[[keys]]\nid = "${id}"\nfile = "bound.pub"\n`;
    const rule = `[[policies]]\nmatch = "clock"\nkeys = ["${id}"]\n`;
    const policies = {
      'bounded.toml': `${keys}${rule}[policies.allow]\nnamespaces = ["other"]\n`,
      'denied.toml': `deny = ["${root}"]\n${keys}${rule}`,
      'unmatched.toml': `${keys}${rule.replace('clock', 'other')}`,
    };
    for (const [policy, text] of Object.entries(policies)) {
      writeFileSync(file(policy), text);
      const { code, stderr } = await install(path, '--policy', policy, '--allow-unsigned', root);
      expect([policy, code]).toEqual([policy, 3]);
      expect(stderr).toMatch(/policy-bounds|solution-denied|policy-unmatched/);
    }
  });

  judged(
    'takes a medium that a key of the site has signed, and no other one beside that signature',
    builders,
    async () => {
      const path = await medium('manifest', usual);
      copyFileSync(file(path), file('signed.iso'));
      await succeeds(['keygen', '-o', 'site'], { cwd });
      await succeeds(['sign', 'signed.iso', '--private-key', 'site.key', '--verify'], { cwd });
      expect(readFileSync(file('signed.iso'))).toEqual(readFileSync(file(path)));
      const { code, about, signers } = await verified('signed.iso', '--key', 'site.pub');
      expect([code, about.unproved, signers.length]).toEqual([0, [], 1]);
      const installed = await install('signed.iso', '--key', 'site.pub');
      expect([installed.code, JSON.parse(installed.stdout).solutions[0].signers.length]).toEqual([0, 1]);
      // Somebody widens the rights of the operator.
      const bytes = readFileSync(file('signed.iso'));
      bytes.write("['*', list]", bytes.indexOf('[get, list]'));
      writeFileSync(file('signed.iso'), bytes);
      const changed = await install('signed.iso', '--key', 'site.pub');
      expect([changed.code, changed.stderr]).toEqual([3, expect.stringContaining('one under its name is not valid')]);
    },
  );
});
