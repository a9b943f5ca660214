import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { parseDocuments } from '../../../../formats/manifest/documents.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import type { PullName } from '../../../../lib/shared/rendering/image-names.ts';
import { nameImages } from '../../../../lib/shared/rendering/used-images.ts';

const digest = sha256('image');
const descriptor = { mediaType: mediaTypes.manifest, digest, size: 1 };
const closure = { manifests: [], blobs: [], absent: [] };
const held = 'registry.example.com/team/web:1';
const solution = {
  path: 'hello.iso',
  images: [{ reference: held, descriptor, closure }],
  metadata: { name: 'web', version: '1.0.0', externalImages: ['site.example/*'] },
} as unknown as Parameters<typeof nameImages>[0];

const [object] = parseDocuments(
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - {name: a, image: "${held}", args: ["${held}", "--x=${held}", "a.example/unheld:1", "site.example/db:1"]}
      - {name: b, image: a.example/unheld:2}
  joined: {repository: registry.example.com/team/web, tag: 1}
`,
  'f',
);

/** Names the images of the object, as `reference rewritten` by path, and returns it. */
function named(pullName: PullName): { readonly text: string; readonly told: readonly string[] } {
  const { objects, used } = nameImages(solution, 'web', [object!], ['Deployment/default/web'], pullName);
  const told = used.map((one) => {
    expect([one.archive, one.component, one.object]).toEqual(['hello.iso', 'web', 'Deployment/default/web']);
    return `${one.path.replace('spec.template.spec.containers.', '')} ${one.held} ${one.external} ${one.target === undefined ? 'kept' : one.rewritten}`;
  });
  return { text: JSON.stringify(objects[0]), told };
}

describe('images of objects', () => {
  test('keep their names outside of containers where nodes know them by these', () => {
    const { text, told } = named((reference, pinned) => `${reference}@${pinned}`);
    expect(text).toBe(JSON.stringify(object).replace(`"image":"${held}"`, `"image":"${held}@${digest}"`));
    expect(told).toEqual([
      '0.image true false kept',
      '0.args.0 true false kept',
      '0.args.1 true false kept',
      '0.args.2 false false kept',
      '0.args.3 false true kept',
      '1.image false false kept',
      'spec.joined.repository true false kept',
    ]);
  });

  test('are written anew wherever the whole string is one, where nodes know them by other names', () => {
    const other = `10.0.0.1:5000/web:1@${digest}`;
    const { text, told } = named(() => other);
    expect(text).toBe(
      JSON.stringify(object).replace(`"image":"${held}"`, `"image":"${other}"`).replace(`["${held}"`, `["${other}"`),
    );
    expect(told.filter((line) => !line.endsWith('kept'))).toEqual([
      '0.image true false true',
      '0.args.0 true false true',
      '0.args.1 true false false',
      'spec.joined.repository true false false',
    ]);
  });
});
