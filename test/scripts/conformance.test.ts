import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runSuite } from '../../scripts/conformance/suite.ts';
import { run, scratch } from '../support/judges.ts';

const folder = scratch('conformance');

/** A program that prints what the suite would. */
function suite(name: string, verdict: string, counts: Record<string, number>, results = ''): string {
  const lines = Object.entries(counts).map(([key, count]) => `  ${key.padEnd(30, '.')}: ${String(count).padStart(10)}`);
  const path = join(folder, name);
  writeFileSync(
    path,
    `#!/bin/sh\ncat <<END\nTest results\n${results}\nConfiguration:\n  - of no matter\nOCI Conformance Result: ${verdict}\n${lines.join('\n')}\nEND\nexit 2\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

const none = { Disabled: 0, Skip: 0, Pass: 0, FAIL: 0, Error: 0 };
const outcomeOf = (program: string) => runSuite(program, 'http://127.0.0.1:1', folder, {});

describe('a run of the conformance suite', () => {
  test('is well where it passed something and failed nothing', () => {
    const program = suite('good', 'Pass', { ...none, Pass: 12, Skip: 3 });
    expect(outcomeOf(program)).toEqual({ pass: 12, fail: 0, error: 0, skip: 3, disabled: 0, failures: [], ok: true });
  });

  test('is not well where something failed, and tells what', () => {
    const results = '  Test/pull: FAIL\n   - no digest\n  Test/tags: Pass';
    const outcome = outcomeOf(suite('bad', 'FAIL', { ...none, Pass: 12, FAIL: 1 }, results));
    expect(outcome).toMatchObject({ ok: false, fail: 1, failures: ['  Test/pull: FAIL', '   - no digest'] });
  });

  test('is not well where nothing was tried', () => {
    expect(outcomeOf(suite('idle', 'Pass', none)).ok).toBe(false);
  });

  test('needs the program of the suite, and no other', () => {
    expect(() => outcomeOf('/bin/true')).toThrow('printed no result');
    expect(() => outcomeOf(join(folder, 'absent'))).toThrow('cannot be run');
  });

  test('without a program says where it is had, and fails', async () => {
    const { code, stderr } = await run(process.execPath, ['scripts/conformance.ts'], { env: { OCI_CONFORMANCE: '' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('docs/testing.md')]);
  });
});
