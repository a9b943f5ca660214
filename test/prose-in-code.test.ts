import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hardToRead } from './support/prose.ts';
import { commentsIn, type TextInCode, textsIn, wideComments } from './support/prose-in-code.ts';

const root = dirname(import.meta.dirname);
const paths = globSync(['cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts'], { cwd: root }).sort();
const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

/** Files whose texts are programs. */
const programs = ['cli/completion/scripts.ts', 'cli/view/html/script.ts', 'cli/view/html/style.ts'];
/** Files that people work on, whose words are not yet in plain English: take one out when it is rewritten. */
const waiting = [
  'cli/command-session.ts',
  'cli/habits.ts',
  'cli/install-checks.ts',
  'cli/progress/lines.ts',
  'cli/served-page.ts',
  'cli/view/install.ts',
  'cli/view/json-plan.ts',
  'cli/view/overview.ts',
  'formats/manifest/plain-flow.ts',
  'formats/manifest/plain-yaml.ts',
  'formats/manifest/yaml.ts',
  'formats/solution/install-plan.ts',
  'formats/text-lines.ts',
  'lib/flows/agent/manifests/crd.ts',
  'lib/flows/delta/write.ts',
  'lib/flows/explain/files.ts',
  'lib/flows/rights/',
  'lib/flows/serve/served-state.ts',
  'lib/flows/setup/choose.ts',
  'lib/flows/setup/shared.ts',
  'lib/kernel/events/slowly.ts',
  'lib/parts/clusters/kind.ts',
  'lib/parts/clusters/kubernetes/observe/settings/index.ts',
  'lib/parts/registry-server/names.ts',
  'lib/shared/rendering/drawn-anew.ts',
  'lib/shared/rendering/remembered.ts',
  'lib/shared/rendering/render.ts',
  'lib/shared/solutions/media/open-medium.ts',
  'lib/shared/solutions/media/place-name.ts',
  'lib/shared/solutions/node-variables/here.ts',
];
/** Rooms with comments that are wider than a screen: take one out when they are wrapped. */
const wide = [
  'cli/command-session.ts',
  'cli/doc-files.ts',
  'cli/failure.ts',
  'cli/habits.ts',
  'cli/home.ts',
  'cli/profile.ts',
  'cli/progress',
  'cli/registry.ts',
  'cli/run-log.ts',
  'cli/served-page.ts',
  'cli/setup.ts',
  'cli/trust.ts',
  'cli/view',
  'formats/chart',
  'formats/error.ts',
  'formats/exact-json.ts',
  'formats/file-schemas',
  'formats/htpasswd/sha-crypt.ts',
  'formats/keys/certificate.ts',
  'formats/keys/der.ts',
  'formats/manifest',
  'formats/profile',
  'formats/resolve',
  'formats/secret-names.ts',
  'formats/shell-word.ts',
  'formats/solution',
  'formats/text-lines.ts',
  'formats/trust',
  'lib/command.ts',
  'lib/flows/agent',
  'lib/flows/complete',
  'lib/flows/configure',
  'lib/flows/delta',
  'lib/flows/describe',
  'lib/flows/diff',
  'lib/flows/doctor',
  'lib/flows/explain',
  'lib/flows/export',
  'lib/flows/history/content.ts',
  'lib/flows/history/resolution.ts',
  'lib/flows/inspect',
  'lib/flows/install',
  'lib/flows/load',
  'lib/flows/mount',
  'lib/flows/pack',
  'lib/flows/profile',
  'lib/flows/render',
  'lib/flows/repair',
  'lib/flows/resolve',
  'lib/flows/rollback',
  'lib/flows/serve',
  'lib/flows/setup',
  'lib/flows/sign',
  'lib/flows/support-bundle',
  'lib/flows/uninstall',
  'lib/flows/verify',
  'lib/kernel/content',
  'lib/kernel/events',
  'lib/kernel/files',
  'lib/kernel/http',
  'lib/kernel/machine',
  'lib/kernel/plan',
  'lib/parts.ts',
  'lib/parts/archives',
  'lib/parts/clusters',
  'lib/parts/mirrors',
  'lib/parts/node-images',
  'lib/parts/registries',
  'lib/parts/registry-server/names.ts',
  'lib/parts/registry-server/store/layout.ts',
  'lib/parts/registry-server/web-page.ts',
  'lib/parts/sources',
  'lib/parts/trust',
  'lib/shared/rendering',
  'lib/shared/solutions',
];

function hard(path: string, texts: readonly TextInCode[]): string[] {
  return texts.flatMap(({ line, text }) => hardToRead(text).map((one) => `${path}:${line}: ${one}`));
}

function isIn(path: string, rooms: readonly string[]): boolean {
  return rooms.some((room) => path.startsWith(room));
}

describe('prose in the code', () => {
  test('of messages, hints and help has no turn of phrase that makes a reader stop', () => {
    const found = [...sources].flatMap(([path, source]) =>
      programs.includes(path) ? [] : hard(path, textsIn(source)),
    );
    expect(found).toEqual([]);
  });

  test('of comments has none, in rooms that do not wait', () => {
    const done = [...sources].filter(([path]) => !isIn(path, waiting));
    expect(done.length).toBeGreaterThan(100);
    expect(done.flatMap(([path, source]) => hard(path, commentsIn(source)))).toEqual([]);
  });

  test('of comments keeps to 120 columns, in rooms that do not wait', () => {
    const done = [...sources].filter(([path]) => !isIn(path, wide));
    expect(done.length).toBeGreaterThan(100);
    expect(done.flatMap(([path, source]) => wideComments(source, 120).map((line) => `${path}:${line}`))).toEqual([]);
  });

  test('is found in a text, in a template, in texts that are added, and in a comment', () => {
    const planted = [
      "const message = 'the name is reported once more';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
      'const template = `${name} is reported once more`;',
      "const sum = 'the version ' + 'before is gone';",
    ];
    for (const source of planted) expect(hard('x.ts', textsIn(source)), source).not.toEqual([]);
    expect(hard('x.ts', commentsIn('/** Whether it is reported. */\nconst isTold = 1;\n'))).not.toEqual([]);
    expect(commentsIn('// The version\n// before is gone.\n')).toEqual([
      { line: 1, text: 'The version\nbefore is gone.' },
    ]);
    expect(wideComments(`// ${'word '.repeat(30)}end\n`, 120)).toEqual([1]);
    expect(wideComments(`const a = '${'word '.repeat(30)}';\n`, 120)).toEqual([]);
  });
});
