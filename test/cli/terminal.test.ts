import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { judged, run, scratch } from '../support/judges.ts';

const folder = scratch('terminal');
const bin = join(import.meta.dirname, '../../cli/bin.js');
const clear = '\r\u001b[K';

/** What a command shows on a terminal that has both of its streams. */
async function typed(...args: string[]): Promise<string> {
  const words = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
  return (await run('script', ['-qec', words, '/dev/null'], { cwd: folder })).stdout;
}

describe('on a terminal', () => {
  judged('an error stands in a line of its own, where progress was shown before', ['script'], async () => {
    const image = '[[images]]\nreference = "registry.example.com/a:1"\nsource = "oci:nowhere:1"\n';
    writeFiles(folder, { 'solution.toml': `name = "a"\nversion = "1.0.0"\n${image}` });
    const shown = await typed('pack', '.', '-o', 'a.iso');
    expect(shown).toContain(`${clear}solpack: `);
    expect(shown.split(`${clear}solpack: `)[0]).toContain('resolve ');
    expect(shown.trimEnd()).toMatch(/\[[a-z-]+\]$/);
  });
});
