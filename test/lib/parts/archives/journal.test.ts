import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { holdFolder } from '../../../../lib/kernel/files/held-folder.ts';
import { beginJournal, encodeJournal, journalPath, parseJournal } from '../../../../lib/parts/archives/journal.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('journal');
const layout = sha256('layout');
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => sha256(name)) as [
  `sha256:${string}`,
  `sha256:${string}`,
  `sha256:${string}`,
  `sha256:${string}`,
];
const title = `solpack-journal 1 ${layout}\n`;

describe('a journal', () => {
  test('tells what is safe, what is in place and what was begun', () => {
    const text = `${title}at ${a} 100\nat ${a} 200\ndone ${b}\nat ${c} 5\nsafe 1\ndone ${c}\n`;
    expect(parseJournal(text, layout)).toEqual({ safe: new Set([b]), loose: new Set([c]), begun: new Map([[a, 200]]) });
  });

  test('is read back as it was written', () => {
    const kept = { safe: new Set([a]), loose: new Set([b, c]), begun: new Map([[d, 16]]) };
    expect(parseJournal(encodeJournal(layout, kept), layout)).toEqual(kept);
  });

  test.each([
    ['of another layout', `solpack-journal 1 ${sha256('other')}\ndone ${a}\n`],
    ['of another version', `solpack-journal 2 ${layout}\ndone ${a}\n`],
    ['that is empty', ''],
    ['that is something else', 'hello\n'],
  ])('%s is none', (_, text) => {
    expect(parseJournal(text, layout)).toBeUndefined();
  });

  test.each([
    ['half a line', `done ${b.slice(0, 40)}`],
    ['a whole line without its end', `done ${b}`],
    ['half a line and more', `done ${b.slice(0, 40)}\ndone ${c}\n`],
    ['zeros of a disk that lost its power', `${'\0'.repeat(50)}\ndone ${c}\n`],
    ['a word that is none', `gone ${b}\ndone ${c}\n`],
    ['a digest that is none', `done md5:00\ndone ${c}\n`],
    ['more that is safe than done', `safe 7\ndone ${c}\n`],
    ['a count that is none', `at ${b} -1\ndone ${c}\n`],
    ['a place without a count', `at ${b}\ndone ${c}\n`],
  ])('counts up to %s', (_, rest) => {
    const none = { safe: new Set(), begun: new Map() };
    expect(parseJournal(`${title}done ${a}\n${rest}`, layout)).toEqual({ ...none, loose: new Set([a]) });
  });

  test('never names what it was not told, however it is cut off', () => {
    const text = `${title}done ${a}\nat ${c} 77\ndone ${b}\nsafe 2\ndone ${c}\n`;
    fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        const read = parseJournal(text.slice(0, length), layout);
        for (const digest of [...(read?.safe ?? []), ...(read?.loose ?? [])]) expect([a, b, c]).toContain(digest);
        expect(read?.begun.get(c) ?? 77).toBe(77);
        if (read && read.safe.size > 0) expect(read.safe).toEqual(new Set([a, b]));
      }),
    );
  });

  test('calls safe what was done before the disk was asked, and not what came meanwhile', async () => {
    const path = join(folder, 'x.iso');
    await using held = await holdFolder(folder);
    const journal = await beginJournal(held, 'x.iso', layout, {
      safe: new Set([a]),
      loose: new Set(),
      begun: new Map(),
    });
    journal.done(b);
    journal.at(d, 10);
    await journal.secure(async () => journal.done(c));
    const read = parseJournal(readFileSync(journalPath(path), 'utf8'), layout);
    expect(read).toEqual({ safe: new Set([a, b]), loose: new Set([c]), begun: new Map([[d, 10]]) });
    await journal.remove();
    expect(existsSync(journalPath(path))).toBe(false);
  });

  test('says nothing is safe where the disk failed', async () => {
    const path = join(folder, 'y.iso');
    await using held = await holdFolder(folder);
    const journal = await beginJournal(held, 'y.iso', layout);
    journal.done(a);
    await expect(journal.secure(() => Promise.reject(new Error('the disk is broken')))).rejects.toThrow('broken');
    expect(parseJournal(readFileSync(journalPath(path), 'utf8'), layout)?.safe.size).toBe(0);
    await journal.remove();
  });

  test('cannot be begun where nothing can be written', async () => {
    await using held = await holdFolder(mkdtempSync(join(folder, 'gone-')));
    rmdirSync(held.path);
    await expect(beginJournal(held, 'x.iso', layout)).rejects.toMatchObject({ code: 'output-unwritable' });
  });
});
