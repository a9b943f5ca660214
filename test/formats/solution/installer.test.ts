import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  installerFileOf,
  installerPlatforms,
  installerPrograms,
  PROGRAM_HEAD,
  programFault,
  programPath,
} from '../../../formats/solution/installer.ts';
import { elfMachines, tinyElf } from '../../support/elf.ts';

describe('a path of an installer', () => {
  test('is that of a program for a platform, or of a public key', () => {
    for (const platform of installerPlatforms) {
      for (const program of installerPrograms) {
        expect(installerFileOf(programPath(platform, program))).toEqual({ kind: 'program', platform, program });
      }
    }
    expect(programPath('linux/amd64', 'helm')).toBe('bin/linux-amd64/helm');
    expect(installerFileOf('bin/release.pub')).toEqual({ kind: 'key' });
  });

  test.each([
    'bin',
    'bin/',
    'bin/helm',
    'bin/linux-amd64/',
    'bin/linux-amd64/bash',
    'bin/linux-amd64/helm/helm',
    'bin/linux-x64/helm',
    'bin/Linux-amd64/helm',
    'bin/linux-amd64/../linux-amd64/helm',
    'bin/../manifest.yaml',
    '../bin/linux-amd64/helm',
    '/bin/linux-amd64/helm',
    'bin/..pub',
    'bin/.pub',
    'bin/a/b.pub',
    'bin/A.pub',
    'bin/release.pub\n',
    `bin/${'a'.repeat(64)}.pub`,
    'constructor',
  ])('is none where no installer has such a file: %j', (path) => {
    expect(installerFileOf(path)).toBeUndefined();
  });
});

test('no other path than a plain one below bin/ is one, whatever it is made of', () => {
  const part = fc.constantFrom('bin', '/', '.', '..', 'linux-amd64', 'helm', 'a.pub', '\\', '\n', 'é', '');
  const path = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 7 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(path, (one) => {
      if (installerFileOf(one) === undefined) return;
      expect(one).toMatch(/^bin\/(?:linux-[a-z0-9]+\/)?[a-z0-9][a-z0-9._-]*$/);
      expect(one.split('/')).not.toContain('..');
    }),
    { numRuns: 2000 },
  );
});

describe('a program', () => {
  test('is one for the machine that its header names', () => {
    for (const type of [2, 3]) {
      expect(programFault(tinyElf('a', { type }), 'linux/amd64')).toBeUndefined();
      expect(programFault(tinyElf('a', { type, machine: elfMachines.arm64 }), 'linux/arm64')).toBeUndefined();
    }
  });

  test.each([
    ['is empty', Buffer.alloc(0)],
    ['is not an ELF program', Buffer.from('#!/bin/sh\nexec node solpack.js\n')],
    ['ends within the header of an ELF program', tinyElf('a').subarray(0, PROGRAM_HEAD - 1)],
    ['is not an ELF program of 64 bits, lowest byte first', tinyElf('a', { width: 1 })],
    ['is not an ELF program of 64 bits, lowest byte first', tinyElf('a', { order: 2 })],
    ['is an object file, and no program', tinyElf('a', { type: 1 })],
    ['is a core dump, and no program', tinyElf('a', { type: 4 })],
    ['is an ELF file that cannot be executed: it has no entry point', tinyElf('a', { entry: 0n })],
    ['is a program for linux/arm64, not for linux/amd64', tinyElf('a', { machine: elfMachines.arm64 })],
    ['is a program for another machine (243), not for linux/amd64', tinyElf('a', { machine: elfMachines.riscv64 })],
  ])('is none that %s', (fault, bytes) => {
    expect(programFault(bytes, 'linux/amd64')).toBe(fault);
  });

  test('is told from any other bytes, whatever they are', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.array(fc.tuple(fc.nat(PROGRAM_HEAD - 1), fc.nat(255)), { maxLength: 4 }).map((changes) => {
        const head = Buffer.from(tinyElf('a'));
        for (const [at, value] of changes) head[at] = value;
        return head;
      }),
    );
    fc.assert(
      fc.property(bytes, (head) => {
        const faults = installerPlatforms.map((platform) => programFault(head, platform));
        // Nothing is a program for two platforms.
        expect(faults.filter((fault) => fault === undefined).length).toBeLessThanOrEqual(1);
        const isElf = Buffer.from(head.subarray(0, 4)).toString('latin1') === '\x7fELF';
        if (!isElf || head.length < PROGRAM_HEAD) expect(faults.every((fault) => fault !== undefined)).toBe(true);
      }),
    );
  });
});
