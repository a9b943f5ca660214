import { describe, expect, test } from 'vitest';
import { splitLocation } from '../../../../lib/parts/images/location.ts';
import { imageContext } from '../../../support/sources.ts';

const context = imageContext('/definition');

describe('the location of an image source', () => {
  test.for([
    ['images/web', '/definition/images/web', ''],
    ['images/web:1.1.0', '/definition/images/web', '1.1.0'],
    ['/srv/web:docker.io/library/web:1', '/srv/web', 'docker.io/library/web:1'],
    ['../web.tar:@2', '/web.tar', '@2'],
    ['web:sha256:abc', '/definition/web', 'sha256:abc'],
    ['web:', '/definition/web', ''],
  ])('%s is split at its first colon', ([location, path, reference]) => {
    expect(splitLocation('oci', location!, context)).toEqual({ path, reference });
  });

  test('keeps the colon of a Windows drive in the path', () => {
    expect(splitLocation('oci', 'C:\\images\\web:1.0', context)).toMatchObject({ reference: '1.0' });
    expect(splitLocation('oci', 'C:\\images\\web:1.0', context).path).toContain('C:\\images\\web');
    expect(splitLocation('oci', 'c:1.0', context)).toMatchObject({ reference: '1.0' });
  });

  test('has to have a path', () => {
    expect(() => splitLocation('oci', ':1.0', context)).toThrow(
      expect.objectContaining({ code: 'source-invalid', hint: 'write oci:PATH or oci:PATH:REFERENCE' }),
    );
  });
});
