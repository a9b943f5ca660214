import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorInfo, exits } from '../../lib/kernel/events/errors.ts';
import { type Running, starts, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { rowsBelow } from '../support/docs.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { binIn, ranAs } from '../support/tutorial-reader.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const folder = scratch('operations');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();

/** The blocks of a language below a heading of the second level. */
function blocks(heading: string, language: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]!.split(/\n## /)[0]!;
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, text]) =>
    of === language ? [text!] : [],
  );
}

const definition = (version: string): string => `name = "shop"
version = "${version}"

[[components]]
name = "web"
kind = "manifests"
path = "web.yaml"

[[images]]
reference = "registry.example.com/shop/web:${version}"
source = "oci:image:registry.example.com/shop/web:${version}"
`;

/** A Deployment that asks for no Pod is ready at once, also where no node is. */
const objects = (version: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {version: "${version}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example.com/shop/web:${version}"}]}
`;

beforeAll(async () => {
  for (const version of ['1.0.0', '1.1.0']) {
    const name = `registry.example.com/shop/web:${version}`;
    await writeLayout(at(`${version}/image`), [
      { name, image: buildImage({ platforms: ['linux/amd64'], seed: version }) },
    ]);
    writeFiles(at(version), { 'solution.toml': definition(version), 'web.yaml': objects(version) });
    await succeeds(['pack', at(`${version}/solution.toml`), '-o', at(`shop-${version}.iso`), '--quiet']);
  }
  await succeeds(['keygen', '-o', at('release'), '--quiet'], { cwd: folder });
  for (const version of ['1.0.0', '1.1.0'])
    await succeeds(['sign', at(`shop-${version}.iso`), '--private-key', at('release.key'), '--quiet']);
  writeFiles(folder, {
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata:
  name: edge
solutions:
  - name: shop
    archives:
      - shop-1.0.0.iso
`,
  });
});

/** What a command prints, without what differs from run to run. */
function lasting(line: string): string {
  return line
    .replaceAll(folder, '/srv')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:5000')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ by admin on \S+/g, '2026-01-05T09:30:00Z by admin on node-1')
    .replace(/ (of|at) \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, ' $1 2026-01-05T09:30:00Z')
    .replace(/sha256:[0-9a-f]{64}/g, 'sha256:…')
    .replace(/\b[0-9a-f]{12,64}\b/g, '…')
    .replace(/\d+(\.\d+)? (?:KiB|MiB|GiB|bytes)\b/g, 'N bytes')
    .trimEnd();
}

async function inShell(command: string): Promise<{ code: number; lines: readonly string[] }> {
  const env = { PATH: `${binIn(folder)}:${process.env['PATH']}`, KUBECONFIG: plane().kubeconfig };
  // What this machine remembers is none of a test's business.
  const own = command.replaceAll('solpack install ', `solpack install --trust-state ${at('lib/solpack/trust')} `);
  const outcome = await run('bash', ['-o', 'pipefail', '-c', own], { cwd: folder, env });
  return ranAs(outcome);
}

let served: Running | undefined;

describe('the page for operators', () => {
  controlPlaneTest('shows what its commands print, from the first day on', async () => {
    cpSync(plane().kubeconfig, at('admin.conf'));
    served = await starts(['serve', at('shop-1.0.0.iso'), at('shop-1.1.0.iso'), '--listen', '127.0.0.1:0']);
    const { first } = served;
    const shown: string[] = [];
    const said: string[] = [];
    for (const block of ['Day one', 'Day two'].flatMap((heading) => blocks(heading, 'console'))) {
      for (const line of block.trimEnd().split('\n')) {
        shown.push(line.startsWith('$ ') ? line : lasting(line));
        if (!line.startsWith('$ ')) continue;
        const { code, lines } = await inShell(line.slice(2).replaceAll('http://127.0.0.1:5000', first));
        expect([line, code, lines]).toEqual([line, 0, lines]);
        said.push(line, ...lines.map(lasting));
      }
    }
    expect(shown).toEqual(said);
  });

  controlPlaneTest('saves and restores what the cluster remembers, and an install changes nothing then', async () => {
    const { first } = served!;
    const [save, restore] = blocks('Backup and restore', 'sh');
    const asked = async (command: string): Promise<string> => {
      const { code, lines } = await inShell(command);
      expect([command, code, lines]).toEqual([command, 0, lines]);
      return lines.join('\n');
    };
    const history = 'solpack history --kubeconfig admin.conf --json';
    const install = `solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf --served-at ${first} --json`;
    await asked(install);
    const kept =
      "kubectl get deployment/web configmap/settings -n default -o jsonpath='{.items[*].metadata.resourceVersion}'";
    const [before, versions, last] = [await asked(history), await asked(kept), await asked(install)];
    await asked(save!);
    expect(readFileSync(at('solpack-system.yaml'), 'utf8')).not.toMatch(/^ +(uid|resourceVersion): /m);
    await asked('kubectl delete namespace solpack-system --wait');
    expect((await inShell(history)).code).toBe(2);
    await asked(restore!);
    expect(await asked(history)).toBe(before);
    await asked('solpack status --kubeconfig admin.conf');
    expect(JSON.parse(await asked(install)).generation).toBe(JSON.parse(last).generation);
    expect(await asked(history)).toBe(before);
    expect(await asked(kept)).toBe(versions);
    // Nothing of the restore is left over when the next generations are written.
    await asked('solpack activate -f solutions.yaml shop 1.1.0');
    expect(JSON.parse(await asked(install)).solutions[0].version).toBe('1.1.0');
    await asked('solpack rollback --kubeconfig admin.conf --key release.pub');
    expect(await asked("kubectl get configmap/settings -n default -o jsonpath='{.data.version}'")).toBe('1.0.0');
  });

  controlPlaneTest(
    'saves what a machine remembers, the store of a serve and the configuration, as they are',
    async () => {
      const [, , save] = blocks('Backup and restore', 'sh');
      const memory = '{"stateVersion":2,"solutions":{"shop":{"sequence":3}}}\n';
      writeFiles(folder, {
        'lib/solpack/trust/memory.json': memory,
        'lib/solpack-registry/blobs/a': 'blob',
        'lib/solpack-registry/repositories/b': '',
      });
      cpSync(at('solutions.yaml'), at('etc/solpack/solutions.yaml'));
      const { code } = await inShell(save!.replaceAll('/var/lib', at('lib')).replaceAll('-C /etc', `-C ${at('etc')}`));
      expect(code).toBe(0);
      await ok('rm', ['-r', at('lib/solpack')]);
      mkdirSync(at('lib/solpack'));
      for (const [name, to] of [
        ['trust', 'lib/solpack'],
        ['store', 'restored'],
        ['configuration', 'restored'],
      ]) {
        mkdirSync(at(to!), { recursive: true });
        await ok('tar', ['-xzf', at(`${name}.tar.gz`), '-C', at(to!)]);
      }
      expect(readFileSync(at('lib/solpack/trust/memory.json'), 'utf8')).toBe(memory);
      expect(readFileSync(at('restored/blobs/a'), 'utf8')).toBe('blob');
      expect(readFileSync(at('restored/solpack/solutions.yaml'), 'utf8')).toContain('kind: SolutionsConfiguration');
      const shown = JSON.parse(await succeeds(['trust', 'show', '--trust-state', at('lib/solpack/trust'), '--json']));
      expect(shown.solutions.map(({ name }: { name: string }) => name)).toEqual(['shop']);
    },
  );

  controlPlaneTest('names rights that are enough for a support bundle', async () => {
    const { tried, kubectl, userKubeconfig } = plane();
    const helper = await userKubeconfig('helper');
    const [role] = blocks('Support bundles', 'yaml');
    expect((await tried(['apply', '-f', '-'], { input: role! })).code).toBe(0);
    await kubectl('create', 'clusterrolebinding', 'helper', '--clusterrole=solpack-support', '--user=helper');
    const made = await succeeds([
      'support-bundle',
      '-o',
      at('bundle.tar.gz'),
      '--kubeconfig',
      helper,
      '--json',
      '--quiet',
    ]);
    const { missing } = JSON.parse(made) as { missing: { what: string }[] };
    expect(missing.map(({ what }) => what).filter((what) => /^cluster/.test(what))).toEqual([]);
    await served?.stop();
  });

  judged('has units that systemd takes', ['systemd-analyze'], async () => {
    const units = blocks('Services', 'ini');
    expect(units).toHaveLength(4);
    const program = join(binIn(folder), 'solpack');
    mkdirSync(at('units'));
    for (const unit of units) {
      const name = /ExecStart=\S+ (\w+)/.exec(unit)![1]!;
      const path = at(`units/solpack-${name}.service`);
      writeFileSync(path, unit.replace('/usr/local/bin/solpack', program));
      const { code, stderr } = await run('systemd-analyze', ['verify', path]);
      expect([name, code, stderr]).toEqual([name, 0, '']);
      // The files of containerd are root's, and plugins look at the machine.
      const rights: Record<string, string> = {
        join: 'ReadWritePaths=/etc/containerd/certs.d',
        load: 'NoNewPrivileges=yes',
      };
      const user = [rights[name] ?? 'DynamicUser=yes'];
      for (const option of [...user, 'ProtectSystem=strict', 'Restart=on-failure', 'After=network-online.target']) {
        expect(unit).toContain(`\n${option}\n`);
      }
    }
    expect(await ok('systemd-analyze', ['--version'])).toMatch(/^systemd/);
  });

  test('tells of every error of a registry, of a server and of a cluster what to do', () => {
    const codes = rowsBelow(page, 'When it fails').flatMap(([first = '']) =>
      [...first.matchAll(/`([^`]+)`/g)].map(([, code]) => code!),
    );
    const needed = Object.entries(errorInfo).flatMap(([code, { exit }]) =>
      exit === exits.registry || exit === exits.cluster ? [code] : [],
    );
    expect(needed.length).toBeGreaterThan(20);
    expect(needed.filter((code) => !codes.includes(code))).toEqual([]);
    expect(codes.filter((code) => !(code in errorInfo))).toEqual([]);
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
  });
});
