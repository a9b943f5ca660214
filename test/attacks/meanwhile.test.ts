import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { annotations, type Descriptor } from '../../formats/oci/descriptor.ts';
import { solutionTypes } from '../../formats/solution/metadata.ts';
import { solpackHere } from '../support/here.ts';
import type { Outcome } from '../support/judges.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, formats, installArgs, setStage, verdictIn, verdictOf } from './stage.ts';
import { rowOf } from './table.ts';

// Between two looks at an archive somebody writes to it: what is used is what was checked.

const stage = setStage('meanwhile');
const trust = ['--key', 'release.pub'];
const at = (name: string): string => join(stage.folder, name);

/** What is looked at of a manifest or an index. */
interface Document {
  readonly manifests: readonly Descriptor[];
  readonly layers: readonly Descriptor[];
}

/** Writes over a text of the file, in place. */
function overwrite(archive: string, from: string, to: string): void {
  const file = openSync(at(archive), 'r+');
  writeSync(file, to, readFileSync(at(archive)).indexOf(from));
  closeSync(file);
}

/** Runs a command line; `meddle` happens when it says that a step begins. */
function during(step: string, args: readonly string[], meddle: () => void): Promise<Outcome> {
  let done = false;
  const onText = (text: string): void => {
    if (done || !text.startsWith(step)) return;
    done = true;
    meddle();
  };
  return solpackHere([...args, '--progress', 'lines'], { cwd: stage.folder, onText });
}

test.each(formats)(
  'content that is changed after it was verified: a %s is not installed',
  async (format) => {
    const row = rowOf('content that is changed after it was verified');
    const archive = `changed.${format}`;
    copyFileSync(at(`good.${format}`), at(archive));
    const args = installArgs(stage, archive, ...trust);
    const outcome = await during('unpack', args, () => overwrite(archive, 'kind: Pod', 'kind: Evl'));
    expect([outcome.code, [codeOf(outcome)]]).toEqual([row.exit, row.codes]);
    expect(existsSync(at('rendered'))).toBe(false);
  },
  PATIENCE,
);

test.each(formats)(
  'an archive that is cut while it is verified: a %s',
  async (format) => {
    const row = rowOf('an archive that is cut while it is verified');
    copyFileSync(at(`good.${format}`), at(`cut.${format}`));
    const outcome = await during('verify', ['verify', `cut.${format}`, '--json', ...trust], () =>
      truncateSync(at(`cut.${format}`), 60_000),
    );
    const { codes, exit } = verdictIn(outcome);
    expect(exit).toBe(row.exit);
    expect(
      codes.some((code) => row.codes.includes(code)),
      `${codes}`,
    ).toBe(true);
  },
  PATIENCE,
);

test.each(formats)(
  'a %s that another one takes the place of after it was opened is installed as it was verified',
  async (format) => {
    const archive = `replaced.${format}`;
    copyFileSync(at(`good.${format}`), at(archive));
    copyFileSync(at(`good.${format}`), at('evil'));
    overwrite('evil', 'kind: Pod', 'kind: Evl');
    const outcome = await during('verify', installArgs(stage, archive, ...trust), () =>
      renameSync(at('evil'), at(archive)),
    );
    expect(outcome).toMatchObject({ code: 0 });
    expect((await verdictOf(stage, archive, ...trust)).exit).toBe(1);
  },
  PATIENCE,
);

test.each(formats)(
  'content that is changed while it is served: nobody gets the whole of it from a %s',
  async (format) => {
    const archive = `served.${format}`;
    copyFileSync(at(`good.${format}`), at(archive));
    const ending = new AbortController();
    const url = Promise.withResolvers<string>();
    const onText = (text: string): void => url.resolve(text.split('\n')[0]!);
    const args = ['serve', archive, '--listen', '127.0.0.1:0', '--quiet'];
    const served = solpackHere(args, { cwd: stage.folder, signal: ending.signal, onText });
    const base = `${await url.promise}/v2/solutions/hello`;
    const json = async (path: string): Promise<Document> =>
      (await fetch(`${base}/${path}`)).json() as Promise<Document>;
    const { manifests } = await json('manifests/1.0.0');
    const solution = manifests.find(({ artifactType }) => artifactType === solutionTypes.solution)!;
    const { layers } = await json(`manifests/${solution.digest}`);
    const pod = layers.find((layer) => layer.annotations?.[annotations.title] === 'components/web/pod.yaml')!;
    expect(await (await fetch(`${base}/blobs/${pod.digest}`)).text()).toContain('kind: Pod');
    overwrite(archive, 'kind: Pod', 'kind: Evl');
    const refused = await fetch(`${base}/blobs/${pod.digest}`);
    expect([refused.status, await refused.text()]).toEqual([500, expect.not.stringContaining('kind: Evl')]);
    ending.abort();
    expect((await served).stderr).toContain(`expected ${pod.digest}`);
  },
  PATIENCE,
);
