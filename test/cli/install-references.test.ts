import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, solpack, starts, succeeds, writeFiles } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('install-references');
const cwd = folder;
const install = ['install', '-f', 'solutions.yaml', '--insecure-skip-verify', '--quiet'];
const held = 'registry.example.com/hello/job:1.0.0';
const unheld = 'registry.example.com/hello/agent:2';

/** A plugin, which only an install runs, that prints an operator: it is told of images in several ways. */
const plugin = `#!/bin/sh
test "$1" = api-version && { echo v1; exit; }
cat <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: operator, namespace: hello}
data:
  job: ${held}
  options: --job=${held} --agent=${unheld}
  site: registry.site.example/db:15
---
apiVersion: v1
kind: Pod
metadata: {name: proxy, namespace: hello}
spec: {containers: [{name: proxy, image: "registry.site.example/proxy:2"}]}
EOF
`;

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  const definition = join(folder, 'hello/solution.toml');
  const more = '\n[[components]]\nname = "operator"\nkind = "plugin"\npath = "operator"\nafter = ["base"]\n';
  const external = 'external-images = ["registry.site.example/*"]\n';
  writeFileSync(definition, external + readFileSync(definition, 'utf8') + more);
  writeFiles(folder, { 'hello/operator/plugin': plugin });
  chmodSync(join(folder, 'hello/operator/plugin'), 0o755);
  await succeeds(['pack', 'hello', '-o', 'hello.iso'], { cwd });
  writeFileSync(
    join(folder, 'solutions.yaml'),
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: hello, archives: [hello.iso]}]
`,
  );
});

const place = { component: 'operator', object: 'ConfigMap/hello/operator' };

describe('images that only an install finds outside of containers', () => {
  test('are reported with their places, also as JSON', async () => {
    const args = [...install, '--hosts-dir', 'certs.d', '--render', 'kept', '--json'];
    const { code, stdout, stderr } = await solpack(args, { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain(
      `${unheld}: seems to be used by component operator (ConfigMap/hello/operator, data.options), but is not in`,
    );
    expect(stderr).not.toContain('site.example');
    const result = JSON.parse(stdout);
    expect(jsonSchemas.install.strict().parse(result)).toEqual(result);
    const { images } = result.solutions[0];
    expect(images.filter(({ certainty }: { certainty: string }) => certainty === 'likely')).toEqual([
      {
        reference: held,
        held: true,
        certainty: 'likely',
        places: [
          { ...place, path: 'data.job' },
          { ...place, path: 'data.options' },
        ],
      },
      { reference: unheld, held: false, certainty: 'likely', places: [{ ...place, path: 'data.options' }] },
      {
        reference: 'registry.site.example/db:15',
        held: false,
        certainty: 'likely',
        places: [{ ...place, path: 'data.site' }],
      },
    ]);
    expect(readFileSync(join(folder, 'kept/hello/030-operator.yaml'), 'utf8')).toContain(`job: ${held}\n`);
  });

  test('are written anew where nodes pull by other names and the whole string is one, and told where it is not', async () => {
    await using serving = await starts(['serve', 'hello.iso', '--listen', '127.0.0.1:0'], { cwd });
    const args = [...install, '--served-at', serving.first, '--render', 'renamed', '--json'];
    const { stdout, stderr } = await solpack(args, { cwd });
    const target = `${new URL(serving.first).host}/${held}@sha256:`;
    const text = readFileSync(join(folder, 'renamed/hello/030-operator.yaml'), 'utf8');
    expect(text).toMatch(new RegExp(`job: "?${target}`));
    expect(text).toContain(`--job=${held} --agent=`);
    expect(stderr).toMatch(new RegExp(`${held}: .*data.job.*: nodes pull it as ${target}`));
    expect(stderr).toMatch(new RegExp(`${held}: .*data.options.*: nodes find it by that name only with --hosts-dir`));
    const { images } = JSON.parse(stdout).solutions[0];
    const { places } = images.find(({ reference }: { reference: string }) => reference === held);
    expect(places).toEqual([
      { ...place, path: 'data.job', rewritten: true },
      { ...place, path: 'data.options', rewritten: false },
    ]);
  });

  test('are left to the site where external-images names them, also in containers and with --strict', async () => {
    const { stderr } = await solpack([...install, '--render', 'site', '--strict'], { cwd });
    expect(stderr).not.toContain('site.example');
    const { stdout } = await solpack([...install, '--render', 'site', '--json'], { cwd });
    const { images } = JSON.parse(stdout).solutions[0];
    const found = images.find(({ reference }: { reference: string }) => reference === 'registry.site.example/proxy:2');
    expect(found).toMatchObject({ held: false, certainty: 'certain', places: [{ object: 'Pod/hello/proxy' }] });
    expect(readFileSync(join(folder, 'site/hello/030-operator.yaml'), 'utf8')).toContain('site.example/proxy:2\n');
  });

  test('are refused by --strict where nobody brings them', async () => {
    const { code, stderr } = await solpack([...install, '--render', 'never', '--strict'], { cwd });
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/agent:2 by component operator .*data\.options\).*\[image-missing\]/),
    ]);
    const both = await solpack([...install, '--render', 'never', '--strict', '--allow-missing-images'], { cwd });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('[usage-invalid]')]);
  });
});
