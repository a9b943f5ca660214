import { describe, expect, test } from 'vitest';
import { isCommit, parseRemoteBase } from '../../../formats/manifest/remote-base.ts';

describe('what a kustomization refers to elsewhere', () => {
  test.each([
    ['https://github.com/org/repo//config/base?ref=v1', 'https://github.com/org/repo', 'config/base', 'v1'],
    ['https://github.com/org/repo/config/base?ref=v1', 'https://github.com/org/repo', 'config/base', 'v1'],
    ['github.com/org/repo/base?version=v1', 'https://github.com/org/repo', 'base', 'v1'],
    ['https://git.example.com/a/b/c.git/base?ref=v1', 'https://git.example.com/a/b/c.git', 'base', 'v1'],
    ['https://git.example.com/a/b/c//base/?ref=v1&timeout=90s', 'https://git.example.com/a/b/c', 'base', 'v1'],
    ['https://github.com/org/repo', 'https://github.com/org/repo', '', undefined],
    ['git@github.com:org/repo.git//base?ref=v1', 'git@github.com:org/repo.git', 'base', 'v1'],
    ['ssh://git@host.example.com:22/org/repo.git?ref=v1', 'ssh://git@host.example.com:22/org/repo.git', '', 'v1'],
    ['git::https://git.example.com/org/repo//base', 'https://git.example.com/org/repo', 'base', undefined],
    ['https://dev.azure.com/o/p/_git/repo/base?ref=v1', 'https://dev.azure.com/o/p/_git/repo', 'base', 'v1'],
  ])('%s is a folder of a repository', (reference, repository, path, ref) => {
    expect(parseRemoteBase(reference)).toMatchObject({ kind: 'git', repository, path, ref });
  });

  test('names of repositories have no login', () => {
    expect(parseRemoteBase('ssh://git@host.example.com:22/org/repo.git?ref=v1')).toMatchObject({
      name: 'host.example.com:22/org/repo',
    });
  });

  test.each([
    'https://raw.githubusercontent.com/org/repo/v1/install.yaml',
    'https://github.com/org/repo/releases/download/v1/install.yaml',
    'https://example.com/install',
  ])('%s is a file', (reference) => {
    expect(parseRemoteBase(reference)).toMatchObject({ kind: 'file', url: new URL(reference) });
  });

  test.each([
    'ftp://example.com/a',
    'file:///srv/repo//base?ref=v1',
    'https://user:password@example.com/org/repo?ref=v1',
    'https://github.com/org/repo//../x?ref=v1',
    'https://git.example.com/?ref=v1',
    'https://../org/repo?ref=v1',
    'git@github.com:-u/x?ref=v1',
    'git@github.com:o/...git',
    '-@github.com:org/repo',
    'git@-oProxyCommand:org/repo',
    'base',
    'https://',
  ])('%s is refused', (reference) => {
    expect(() => parseRemoteBase(reference)).toThrow(expect.objectContaining({ code: 'address-invalid' }));
  });

  test('a refusal does not tell a password', () => {
    expect(() => parseRemoteBase('https://user:hidden@example.com/org/repo?ref=v1')).not.toThrow(/hidden/);
  });

  test('a commit is written in full', () => {
    expect(['a'.repeat(40), 'a'.repeat(64), 'a'.repeat(39), 'A'.repeat(40), 'main'].map(isCommit)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
