import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blankingOf } from '../../lib/flows/support-bundle/blanking/index.ts';
import { isRecordSecret } from '../../lib/parts/clusters/kubernetes/observe/snapshot/hidden.ts';
import { writeFiles } from '../support/cli.ts';
import { solpackHere } from '../support/here.ts';
import { scratch } from '../support/judges.ts';
import { secretData, secretNames, secretTexts } from '../support/secret-names.ts';
import { sectionOf } from './table.ts';

// Whoever gets a support bundle or a log, and looks in it for what a user, a chart or a program has put where nobody expects it.

const SECRET = 'c0ffee-hunter';
/** What is left of it: as it is, as a number, in a list. */
const left = /c0ffee|19305|12345/;
const { data, text } = blankingOf([]);

/** An attack of the table, by which a reader gets these texts to see. */
function attack(name: string, shows: () => readonly string[] | Promise<readonly string[]>): void {
  test(name, async () => {
    expect(sectionOf('A reader of support bundles and logs')).toContain(`| ${name} | \`***\``);
    const shown = await shows();
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((one) => left.test(one))).toEqual([]);
  });
}

/** All names in all of these forms, as they are shown. */
function all<T>(
  forms: Readonly<Record<string, (name: string, value: string) => T>>,
  show: (value: T) => string,
): string[] {
  return secretNames.flatMap((name) => Object.values(forms).map((form) => show(form(name, SECRET))));
}

const plain = (value: unknown): string => JSON.stringify(data(value));

describe('a support bundle', () => {
  attack('a value whose field has one of two hundred names of secrets', () => all(secretData, plain));
  attack('the same in files and in what programs print', () => all(secretTexts, text));
  attack('a Secret in an inline patch, a list or a generator', () => [
    plain({ patch: 'kind: Secret\nstringData:\n  plain: c0ffee\n' }),
    plain({ target: { kind: 'Secret' }, patch: '- {op: add, path: /data/x, value: c0ffee}\n' }),
    plain({ kind: 'SecretList', items: [{ data: { x: 'c0ffee' } }] }),
    plain({ secretGenerator: [{ name: 'a', literals: ['x=c0ffee'] }] }),
  ]);
  attack('a secret beside what refers to a Secret', () => [
    plain({ credentials: { name: 'web', key: 'c0ffee' } }),
    plain({ token: { secretName: 'web', path: 'c0ffee' } }),
  ]);
  attack('a Secret of another namespace with the label of a record', () => {
    const metadata = { name: 'a', namespace: 'shop', labels: { 'solpack.io/record': 'x' }, uid: 'u' };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'c0ffee' } };
    // What is no record is read before anything is shown, and blanked wherever it stands.
    expect(isRecordSecret({ ...secret, metadata: { ...metadata, resourceVersion: '1' } })).toBe(false);
    return [plain(secret)];
  });
});

describe('a log', () => {
  const folder = scratch('attacks-shown');
  const at = (name: string): string => join(folder, name);
  const run = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await solpackHere([...args, '--log-file', at('log')], { cwd: folder });
    return `${stdout}${stderr}${readFileSync(at('log'), 'utf8')}`;
  };

  attack('a login and a query in an address on the command line', async () => [
    await run('inspect', 'https://ada:c0ffee@127.0.0.1:1/x.iso?token=c0ffee'),
  ]);
  attack('a PIN in the command that signs', async () => [
    await run('sign', 'none.iso', '--signer', 'tool --pin c0ffee', '--key', 'none.pub'),
  ]);
  attack('a line with a secret that an error would quote', async () => {
    const lines = ['bindPw: c0ffee: x', 'encryptionKey: c0ffee: x', 'db: {pass: c0ffee: x}'];
    mkdirSync(at('src/web'), { recursive: true });
    const shown: string[] = [];
    for (const line of lines) {
      const component = 'name = "web"\nkind = "manifests"\npath = "web"\n';
      writeFiles(at('src'), {
        'solution.toml': `name = "shop"\nversion = "1.0.0"\n[[components]]\n${component}`,
        'web/map.yaml': `apiVersion: v1\nkind: ConfigMap\n${line}\n`,
      });
      shown.push(await run('check', 'src'));
    }
    expect(shown.every((one) => one.includes('map.yaml:3'))).toBe(true);
    return shown;
  });
});

test('the table of what is blanked has these rows and no others', () => {
  const own = readFileSync(import.meta.filename, 'utf8');
  const names = [...sectionOf('A reader of support bundles and logs').matchAll(/^\| (?!attack|---)(.+?) \|/gm)];
  expect(names.length).toBe(8);
  expect(names.filter(([, name]) => !own.includes(`'${name}'`))).toEqual([]);
});
