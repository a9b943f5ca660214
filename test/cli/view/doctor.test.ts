import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doctorView } from '../../../cli/view/doctor.ts';
import { styleFor } from '../../../cli/view/style.ts';

const style = styleFor({ isTTY: false } as never, {});

test('what mends something is a command to paste, or is said to be for a person', () => {
  const check = (hint: string) => ({ code: 'disk', state: 'warns', subject: '/', message: 'is full', hint }) as const;
  const hints = ['du -x -d 1 / | sort -n', 'solpack setup', 'install Helm 3 or 4 on PATH'];
  const shown = doctorView({ ok: true, for: ['install'], checks: hints.map(check) }, style);
  expect(shown.filter((line) => line.startsWith(' '))).toEqual([
    '         do: du -x -d 1 / | sort -n',
    '         do: solpack setup',
    '         by hand: install Helm 3 or 4 on PATH',
  ]);
});

test('a command to paste has no word that stands for another one', () => {
  const root = join(import.meta.dirname, '../../..');
  const texts = globSync('lib/flows/doctor/**/*.ts', { cwd: root }).flatMap((path) => [
    ...readFileSync(join(root, path), 'utf8').matchAll(/['`]((?:solpack|systemctl|date|kubectl|modprobe) [^'`]*)['`]/g),
  ]);
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.map(([, text = '']) => text).filter((text) => /\b[A-Z]{3,}\b/.test(text))).toEqual([]);
});
