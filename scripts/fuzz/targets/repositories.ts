import { once } from '../../../formats/bytes.ts';
import { isInStep, parseChartLock } from '../../../formats/chart/lock.ts';
import { readRepositoryIndex } from '../../../formats/chart/repository-index.ts';
import { highestVersion, versionSatisfies } from '../../../formats/chart/version.ts';
import { parseKustomization } from '../../../formats/manifest/kustomization.ts';
import { replaceReferences } from '../../../formats/manifest/kustomization-edit.ts';
import { isCommit, parseRemoteBase } from '../../../formats/manifest/remote-base.ts';
import { inPieces, parsers } from '../parser.ts';
import type { Random } from '../random.ts';
import { must, refusalOf } from '../violation.ts';

const hex = 'ab'.repeat(32);
const index = `apiVersion: v1
entries:
  api:
  - version: 2.0.0
    description: |
      web:
    urls: [api-2.0.0.tgz]
  web:
  - apiVersion: v2
    name: web
    version: 1.2.3
    digest: ${hex}
    urls:
    - https://example.com/web-1.2.3.tgz
  - version: 1.10.0-rc.1
    urls: [web-1.10.0-rc.1.tgz, b]
generated: "2026-01-01T00:00:00Z"
`;
const json = JSON.stringify({ entries: { web: [{ version: '1.0.0', urls: ['a.tgz'], digest: hex }] } });
const lock = `dependencies:\n- name: common\n  repository: https://example.com\n  version: 1.1.0\ndigest: sha256:${hex}\n`;
const versions = '>=1.2.0-0 <2, != 1.3.0 || ^3.x\n1.2.3\nv1.3.0+build\n1.4.0-rc.1\n3.0.0\n10\nlatest\n';
const kustomization = `resources:\n- https://github.com/org/repo//base?ref=${'a'.repeat(40)} # x\n- local.yaml\n`;
const commit = 'c'.repeat(40);

/** What repositories of charts, and addresses of what components are made of, say. */
export const repositories = parsers(
  'repositories',
  20,
  'entries:¦web:¦- version: 1¦urls: [a]¦digest: ¦  ¦{¦}¦>=1.2.3-0 <2 || ^3¦git::¦git@h:¦//¦?ref=¦.git/¦://¦_git/¦..¦|\n¦#',
  {
    index: { samples: [index, json], read: readIndex },
    lock: { samples: [lock], read: readLock },
    versions: { samples: [versions], read: readVersions },
    addresses: {
      samples: [
        `https://github.com/org/repo//a/b?ref=${commit}`,
        'git@host.example.com:org/repo.git//a?ref=v1',
        'https://h/a.yaml',
      ],
      read: readAddress,
    },
    references: { samples: [kustomization], read: readReferences },
  },
);

/** Reads an index in one piece and in many, and compares the results. */
async function readIndex(bytes: Buffer, random: Random): Promise<string | undefined> {
  const whole = await refusalOf(() => readRepositoryIndex(once(bytes), 'web'));
  const pieces = await refusalOf(() => readRepositoryIndex(inPieces(bytes, random), 'web'));
  const texts = [whole, pieces].map(({ code, value }) => code ?? JSON.stringify(value));
  must(texts[0] === texts[1], 'an index is read otherwise where its chunks end elsewhere');
  return whole.code;
}

function readLock(bytes: Buffer): void {
  const found = parseChartLock(bytes);
  isInStep(found, found.dependencies, 'v1');
}

function readVersions(bytes: Buffer): void {
  const [range = '', ...all] = bytes.toString().split('\n');
  const highest = highestVersion(all, range);
  must(highest === undefined || highest === range || versionSatisfies(highest, range), 'a version is out of its range');
}

function readAddress(bytes: Buffer): void {
  const target = parseRemoteBase(bytes.toString());
  if (target.kind === 'file') return;
  const names = [...target.path.split('/'), ...target.name.split('/')];
  must(!names.includes('..') && !target.path.startsWith('/'), 'the folder of a repository leads out of it');
  must(!target.repository.startsWith('-'), 'a repository looks like an option');
  isCommit(target.ref ?? '');
}

function readReferences(bytes: Buffer): void {
  const text = bytes.toString();
  const { resources } = parseKustomization(text, 'kustomization.yaml');
  const [first] = resources;
  if (first === undefined) return;
  const edited = replaceReferences(text, new Map([[first, 'copy']]));
  const now = parseKustomization(edited, 'kustomization.yaml').resources;
  must(now.length === resources.length, 'a replaced reference changes how many there are');
}
