import { expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { parseDefinition } from '../../../../formats/solution/definition.ts';
import type { Lock } from '../../../../formats/solution/lock.ts';
import { definedBy } from '../../../../lib/flows/pack/defined-images.ts';

const [locked, pinned, other] = [sha256('locked'), sha256('pinned'), sha256('other')];
const { images } = parseDefinition(
  Buffer.from(
    `name = "x"\nversion = "1.0.0"\n[[images]]\nreference = "a.example/free:1"\n[[images]]\nreference = "a.example/locked:1"\n[[images]]\nreference = "a.example/pinned:1@${pinned}"\n[[images]]\nreference = "nginx"\n`,
  ),
);
const lock = { images: [{ reference: 'a.example/locked:1', digest: locked }] } as unknown as Lock;

test.each([
  ['a.example/free:1', true],
  ['a.example/free:2', false],
  ['a.example/free', false],
  ['b.example/free:1', false],
  [`a.example/free:1@${other}`, true],
  [`a.example/free@${other}`, true],
  [`a.example/free:2@${other}`, false],
  ['a.example/locked:1', true],
  [`a.example/locked:1@${locked}`, true],
  [`a.example/locked:1@${other}`, false],
  [`elsewhere.example/x@${locked}`, true],
  ['a.example/pinned:1', true],
  [`a.example/pinned@${pinned}`, true],
  ['docker.io/library/nginx:latest', true],
  ['nginx', true],
  ['Not A Name', false],
])('a definition has %s: %s', (name, expected) => {
  expect(definedBy(images, lock)(name)).toBe(expected);
});
