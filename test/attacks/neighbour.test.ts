import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, run } from '../support/judges.ts';
import { giveAway, NEIGHBOUR, neighbourTest, withoutProc } from '../support/neighbour.ts';
import { isExhaustive } from '../support/sample.ts';
import { archive, entry } from '../support/tar.ts';
import { solpackWords } from '../support/under-test.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, expectPlain, installArgs, setStage } from './stage.ts';
import { rowOf } from './table.ts';

// Another user of the machine, who may write where solpack is to write, or beside it. Root is led nowhere by that.

const stage = setStage('neighbour');
const at = (...names: string[]): string => join(stage.folder, ...names);
const trust = ['--key', 'release.pub'];

afterEach(() => {
  vi.unstubAllEnvs();
  for (const name of ['out', 'outside', 'rendered', 'state', 'certs.d', 'theirs', 'mine', 'shared']) {
    rmSync(at(name), { recursive: true, force: true });
  }
});

/** A folder with a file that has to stay as it is, and nothing else with it. */
function outside(): void {
  mkdirSync(at('outside'));
  writeFileSync(at('outside/file'), 'as it was');
}

function expectOutsideUntouched(): void {
  expect(readdirSync(at('outside')).filter((name) => name !== 'empty')).toEqual(['file']);
  expect(readFileSync(at('outside/file'), 'utf8')).toBe('as it was');
}

function expectRow(name: string, outcome: Outcome): void {
  const { codes, exit } = rowOf(name);
  expectPlain(outcome);
  expect([outcome.code, [codeOf(outcome)]], outcome.stderr).toEqual([exit, codes]);
}

/** An attack of the table: `prepare` is what the neighbour has done, and then a command line is run. */
function byNeighbour(
  name: string,
  prepare: () => void,
  args: () => readonly string[],
  then = (): void => undefined,
): void {
  neighbourTest(
    name,
    async () => {
      outside();
      prepare();
      expectRow(name, await stage.run(...args()));
      expectOutsideUntouched();
      then();
    },
    PATIENCE,
  );
}

/**
 * Extracts these paths of an archive, in which `now` cannot be: when its turn has come, the folder `dir` becomes a
 * link.
 */
async function extractSwapped(...paths: string[]): Promise<Outcome> {
  outside();
  const files = ['dir/after', 'dir/before', 'other'].map((path) => entry(path, { body: path }));
  writeFileSync(at('swapped.tar'), archive(...files, entry('now', { type: '6' })));
  const onText = (text: string): void => {
    if (!text.includes('now')) return;
    renameSync(at('out/dir'), at('out/aside'));
    symlinkSync('../outside', at('out/dir'));
  };
  return solpackHere(['extract', 'swapped.tar', '-C', 'out', ...paths], { cwd: stage.folder, onText });
}

test('a folder that becomes a link while it is extracted into', async () => {
  const outcome = await extractSwapped('dir/before', 'other', 'now', 'dir/after');
  expectRow('a folder that becomes a link while it is extracted into', outcome);
  expectOutsideUntouched();
});

test('a folder that is held already is written to wherever it goes', async () => {
  expect(await extractSwapped('dir/before', 'now', 'dir/after')).toMatchObject({ code: 0 });
  expectOutsideUntouched();
  expect(readdirSync(at('out/aside')).sort()).toEqual(['after', 'before']);
});

byNeighbour(
  'a link of theirs in the place of the folder to extract into',
  () => {
    symlinkSync('outside', at('out'));
    giveAway(at('out'));
  },
  () => ['extract', 'good.tar', '-C', 'out'],
);

byNeighbour(
  'a beginning of an archive that they have left',
  () => {
    writeFileSync(at('mine.iso.partial'), 'theirs', { mode: 0o666 });
    giveAway(at('mine.iso.partial'));
  },
  () => ['pack', 'src', '-o', 'mine.iso', '--resume'],
  () => {
    expect(readFileSync(at('mine.iso.partial'), 'utf8')).toBe('theirs');
    rmSync(at('mine.iso.partial'));
  },
);

neighbourTest(
  'what they have left of an archive is not gone on with by pull either',
  async () => {
    const ending = new AbortController();
    const url = Promise.withResolvers<string>();
    const onText = (text: string): void => url.resolve(text.split('\n')[0]!);
    const args = ['serve', 'good.iso', '--listen', '127.0.0.1:0', '--quiet'];
    const served = solpackHere(args, { cwd: stage.folder, signal: ending.signal, onText });
    const from = `${new URL(await url.promise).host}/solutions/hello:1.0.0`;
    const pull = (): Promise<Outcome> => stage.run('pull', from, '-o', 'pulled.iso');
    for (const left of ['pulled.iso.partial', 'pulled.iso.partial.journal', 'pulled.iso.partial.journal.new']) {
      writeFileSync(at(left), 'theirs', { mode: 0o666 });
      giveAway(at(left));
      expectRow('a beginning of an archive that they have left', await pull());
      expect([readFileSync(at(left), 'utf8'), existsSync(at('pulled.iso'))]).toEqual(['theirs', false]);
      rmSync(at(left));
    }
    expect(await pull()).toMatchObject({ code: 0 });
    expect(readFileSync(at('pulled.iso')).equals(stage.bytes('iso'))).toBe(true);
    expect(readdirSync(stage.folder).filter((name) => name.includes('.partial'))).toEqual([]);
    ending.abort();
    await served;
  },
  PATIENCE,
);

byNeighbour(
  'a link of theirs in the place of a beginning',
  () => {
    symlinkSync('outside/file', at('linked.iso.partial'));
    giveAway(at('linked.iso.partial'));
  },
  () => ['pack', 'src', '-o', 'linked.iso'],
);

byNeighbour(
  'a journal that they have left',
  () => {
    writeFileSync(at('told.iso.partial.journal'), 'solpack-journal 1', { mode: 0o666 });
    giveAway(at('told.iso.partial.journal'));
  },
  () => ['pack', 'src', '-o', 'told.iso', '--resume'],
);

byNeighbour(
  'a link in the place of a rendered folder',
  () => {
    mkdirSync(at('rendered'));
    symlinkSync('../outside', at('rendered/hello'));
    giveAway(at('rendered'), at('rendered/hello'));
  },
  () => installArgs(stage, 'good.iso', ...trust),
);

byNeighbour(
  'a link in the place of a folder of mirrors',
  () => {
    mkdirSync(at('certs.d'));
    symlinkSync('../outside', at('certs.d/registry.example.com'));
    giveAway(at('certs.d'), at('certs.d/registry.example.com'));
  },
  () => [...installArgs(stage, 'good.iso', ...trust), '--hosts-dir', 'certs.d'],
);

byNeighbour(
  'a link of theirs in the place of a log file',
  () => {
    symlinkSync('outside/file', at('theirs'));
    giveAway(at('theirs'));
  },
  () => ['inspect', 'good.tar', '--log-file', at('theirs')],
);

byNeighbour(
  'a pipe of theirs in the place of a log file',
  () => {
    execFileSync('mkfifo', [at('theirs')]);
    giveAway(at('theirs'));
  },
  () => ['inspect', 'good.tar', '--log-file', at('theirs')],
);

byNeighbour(
  'a link of theirs in the place of a configuration',
  () => {
    symlinkSync('outside/file', at('theirs'));
    giveAway(at('theirs'));
  },
  () => ['import', '-f', at('theirs'), at('good.iso')],
);

/** A folder of theirs, in which the definition is a link to one of this user; returns what that says. */
function sharedDefinition(manifest: string): string {
  const definition =
    'name = "mine"\nversion = "1.0.0"\n\n[[components]]\nname = "web"\nkind = "manifests"\npath = "web"\n';
  writeFiles(at('mine'), { 'solution.toml': definition });
  writeFiles(at('shared/web'), { 'a.yaml': manifest });
  symlinkSync('../mine/solution.toml', at('shared/solution.toml'));
  for (const path of ['shared/solution.toml', 'shared']) giveAway(at(path));
  return definition;
}

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n';

const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec: {containers: [{name: a, image: "${image}"}]}\n`;

for (const [name, args, manifest] of [
  [
    'a link of theirs in the place of a definition that gets its images',
    ['images', 'shared', '--write'],
    pod('registry.example.com/own/tool:1'),
  ],
  ['a link of theirs in the place of a definition that is updated', ['update', 'shared'], configMap],
] as const) {
  neighbourTest(
    name,
    async () => {
      const definition = sharedDefinition(manifest);
      expectRow(name, await stage.run(...args));
      expect(readFileSync(at('mine/solution.toml'), 'utf8')).toBe(definition);
    },
    PATIENCE,
  );
}

byNeighbour(
  'a link of theirs in the place of a folder to mount in',
  () => {
    mkdirSync(at('outside/empty'));
    symlinkSync('outside/empty', at('theirs'));
    giveAway(at('theirs'));
  },
  () => ['mount', 'good.iso', at('theirs')],
  () => rmSync(at('outside/empty'), { recursive: true }),
);

byNeighbour(
  'a store that they may change',
  () => {
    mkdirSync(at('theirs'));
    giveAway(at('theirs'));
  },
  () => ['serve', 'good.iso', '--listen', '127.0.0.1:0', '--store', 'theirs'],
  () => expect(readdirSync(at('theirs'))).toEqual([]),
);

byNeighbour(
  'a folder for temporary files that they may change',
  () => {
    mkdirSync(at('theirs/in'), { recursive: true });
    giveAway(at('theirs'));
    vi.stubEnv('TMPDIR', at('theirs/in'));
  },
  () => installArgs(stage, 'good.iso', ...trust),
  () => expect(existsSync(at('rendered'))).toBe(false),
);

byNeighbour(
  'a memory of installs that they may change',
  () => {
    mkdirSync(at('state'));
    writeFileSync(at('state/memory.json'), '{"stateVersion":1,"sequences":{}}', { mode: 0o644 });
    giveAway(at('state/memory.json'));
  },
  () => installArgs(stage, 'good.iso', ...trust),
  () => expect(existsSync(at('rendered'))).toBe(false),
);

byNeighbour(
  'a link of theirs in the place of the folder of that memory',
  () => {
    symlinkSync('outside', at('state'));
    giveAway(at('state'));
  },
  () => installArgs(stage, 'good.iso', ...trust),
  () => expect(existsSync(at('rendered'))).toBe(false),
);

byNeighbour(
  'a link of theirs in the place of the lock of that memory',
  () => {
    mkdirSync(at('state'));
    chmodSync(at('state'), 0o1777);
    symlinkSync('nowhere', at('state/memory.json.lock'));
    giveAway(at('state/memory.json.lock'));
  },
  () => installArgs(stage, 'good.iso', ...trust),
);

/** Exchanges folders of `out` for links to the outside, as fast as it can, until it is killed. */
const SWAPPING = `cd "$1" || exit 1
while :; do for d in d*; do
  [ -L "$d" ] || { mv "$d" ".$d.$$" && ln -s ../outside "$d"; } 2>/dev/null
done; done`;

test(
  'nothing is written outside while somebody exchanges folders for links',
  async () => {
    chmodSync(stage.folder, 0o755);
    const files = Array.from({ length: 2000 }, (_, number) => `d${number % 2}/f${number}`);
    writeFileSync(at('many.tar'), archive(...files.map((path) => entry(path, { body: path }))));
    const user = process.geteuid?.() === 0 ? { uid: NEIGHBOUR, gid: NEIGHBOUR } : {};
    for (let round = 0; round < (isExhaustive ? 5 : 2); round += 1) {
      outside();
      mkdirSync(at('out'));
      if ('uid' in user) giveAway(at('out'));
      const neighbour = spawn('sh', ['-c', SWAPPING, 'sh', at('out')], { ...user, stdio: 'ignore' });
      const ended = new Promise((settle) => neighbour.once('close', settle));
      const outcome = await stage.run('extract', 'many.tar', '-C', 'out');
      neighbour.kill('SIGKILL');
      await ended;
      expectPlain(outcome);
      if (outcome.code !== 0) expect(['output-exists', 'output-unwritable']).toContain(codeOf(outcome));
      expectOutsideUntouched();
      // The last program that the neighbour has started may outlive its shell.
      for (const name of ['out', 'outside']) rmSync(at(name), { recursive: true, maxRetries: 10 });
    }
  },
  PATIENCE,
);

neighbourTest(
  'where no folder can be held, root is refused one that others may change, and nobody else is',
  async ({ skip }) => {
    chmodSync(stage.folder, 0o755);
    mkdirSync(at('theirs'));
    giveAway(at('theirs'));
    const extract = [...solpackWords, 'extract', at('good.tar'), 'oci-layout', '-C'];
    const args = withoutProc(...extract, at('theirs/out'));
    if (!args) return skip('needs unshare, and the right to mount');
    const refused = await run('unshare', args);
    expect([refused.code, codeOf(refused), readdirSync(at('theirs'))]).toEqual([6, 'output-unwritable', []]);
    mkdirSync(at('out'));
    expect((await run('unshare', withoutProc(...extract, at('out'))!)).code).toBe(0);
    const own = ['setpriv', '--reuid', String(NEIGHBOUR), '--regid', String(NEIGHBOUR), '--clear-groups'];
    expect((await run('unshare', withoutProc(...own, ...extract, at('theirs/out'))!)).code).toBe(0);
    expect([readdirSync(at('out')), readdirSync(at('theirs/out'))]).toEqual([['oci-layout'], ['oci-layout']]);
  },
);
