import { expect, test } from 'vitest';
import { isExternal } from '../../../../lib/shared/rendering/external-images.ts';

test.each([
  ['registry.example.com/db:15', 'registry.example.com/db:15', true],
  ['registry.example.com/db:15', 'registry.example.com/db:16', false],
  ['registry.example.com/db', 'registry.example.com/db:16', true],
  ['registry.example.com/db', 'registry.example.com/db/web:16', false],
  ['nginx', 'docker.io/library/nginx:1.27', true],
  ['nginx:1.27', 'docker.io/library/nginx:1.27', true],
  ['registry.site.example/*', 'registry.site.example/team/app:1', true],
  ['registry.site.example/*', 'registry.example.com/team/app:1', false],
  ['*/team/app', 'registry.site.example/team/app:1', true],
  ['team/*:1', 'team/app:1', true],
  ['team/*', 'docker.io/team/app:1', false],
  ['Not A Name', 'Not A Name', true],
  ['Not A Name', 'a/b:1', false],
])('an entry %s and the image %s', (entry, reference, expected) => {
  expect(isExternal(['unrelated.example/x', entry], reference)).toBe(expected);
});
